import { Agent } from 'node:https';
import type { DevServer } from '../../support/command.ts';
import { waitedForCore } from './run-queue.ts';

export interface Experience {
  /**
   * 90th percentile of the response times, in milliseconds. Excludes the time in which this program or the server was
   * ready but the machine ran other processes, because that depends on the machine and not on the server.
   */
  readonly p90: number;
  /** Requests that got an unexpected response, or none. */
  readonly failures: readonly string[];
}

/**
 * Pause between two requests. This gives some hundred requests per second, which a server of this size gets on a busy
 * day.
 */
const PAUSE_MS = 4;
/** Every request of this number is a login on its own connection, with a full handshake. */
const LOGIN_EVERY = 25;

/**
 * Shows a workspace and logs in, one request after the other, for this time. With several servers, each request goes to
 * one after the other, so that all of them are measured at the same time, whatever else the machine does.
 * @returns the experience with each server
 */
export async function useHonestly(servers: readonly DevServer[], milliseconds: number): Promise<readonly Experience[]> {
  const visits = await Promise.all(servers.map(visit));
  const end = performance.now() + milliseconds;
  for (let i = 1; performance.now() < end; i++) {
    for (const { request } of visits) await request(i);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return visits.map(({ end }) => end());
}

async function visit(server: DevServer) {
  const { line, certificate } = server;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const path = `/api/v2/organizations/${line.organization}/workspaces/${await anyWorkspace(server)}`;
  const show = () => server.call('GET', path, { token: line.user_token, agent });
  const login = () => server.call('POST', '/v1/auth/cert/login', { certificate, body: { name: line.role } });
  const waited = () => [waitedForCore(line.pid), waitedForCore(process.pid)] as const;
  const times: number[] = [];
  const failures: string[] = [];
  const request = async (i: number): Promise<void> => {
    const [serverBefore, clientBefore] = waited();
    const before = performance.now();
    const answer = await (i % LOGIN_EVERY === 0 ? login() : show()).catch((error: Error) => error);
    if (answer instanceof Error) failures.push(answer.message);
    else if (answer.status !== 200) failures.push(`${answer.status} ${answer.text}`);
    const took = performance.now() - before;
    const [serverAfter, clientAfter] = waited();
    // Both processes may have waited at the same time. This time is subtracted once.
    times.push(took - Math.max(serverAfter - serverBefore, clientAfter - clientBefore));
  };
  const end = (): Experience => {
    agent.destroy();
    return { p90: percentile(times, 0.9), failures };
  };
  return { request, end };
}

async function anyWorkspace({ call, line }: DevServer): Promise<string> {
  const path = `/api/v2/organizations/${line.organization}/workspaces`;
  return (await call('GET', path, { token: line.user_token })).body.data[0].attributes.name;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
