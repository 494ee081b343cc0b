import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { connect, type TLSSocket } from 'node:tls';
import { type Measured, measure } from './measure.ts';

/** Connections at a time. The client shares the machine with the server. */
const CONCURRENCY = 8;

export interface TlsTarget {
  readonly pid: number;
  readonly port: number;
  readonly ca: string;
  readonly certificate: { readonly pem: string; readonly keyPem: string };
}

/**
 * A new connection with a full handshake for each operation. With a request line, the operation ends with the response to
 * it; without, the bare server writes one byte when the handshake is done.
 */
export function loginOverNewConnections(
  target: TlsTarget,
  requestLine: string | undefined,
  milliseconds: number,
): Promise<Measured> {
  const { port, ca, certificate, pid } = target;
  const one = async (): Promise<void> => {
    const socket = connect({ host: '127.0.0.1', port, ca, cert: certificate.pem, key: certificate.keyPem });
    if (requestLine)
      socket.write(`${requestLine} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
    const text = await firstData(socket);
    if (requestLine && !text.startsWith('HTTP/1.1 200')) throw new Error(`login refused: ${text.slice(0, 300)}`);
    socket.destroy();
  };
  return measure(pid, () => repeat(one, milliseconds));
}

async function firstData(socket: TLSSocket): Promise<string> {
  const [data] = await once(socket, 'data');
  return String(data);
}

export interface HttpTarget {
  readonly pid: number;
  readonly port: number;
}

/** Requests one after the other on each of a few connections that stay open. */
export function requestsOverKeptConnections(
  { pid, port }: HttpTarget,
  path: string,
  token: string,
  milliseconds: number,
): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
  const headers = { authorization: `Bearer ${token}` };
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const outgoing = request({ host: '127.0.0.1', port, path, agent, headers }, (incoming) => {
        if (incoming.statusCode !== 200) reject(new Error(`status ${incoming.statusCode}`));
        incoming.on('end', resolve).on('error', reject).resume();
      });
      outgoing.on('error', reject).end();
    });
  return measure(pid, () => repeat(one, milliseconds).finally(() => agent.destroy()));
}

/** Locks and unlocks, as one operation, each of these workspaces in turn: none is asked for twice at a time. */
export function locksOverKeptConnections(
  { pid, port }: HttpTarget,
  paths: readonly string[],
  token: string,
  milliseconds: number,
): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/vnd.api+json', 'content-length': 2 };
  const free = [...paths];
  const post = (path: string) =>
    new Promise<void>((resolve, reject) => {
      const outgoing = request({ host: '127.0.0.1', port, method: 'POST', path, agent, headers }, (incoming) => {
        if (incoming.statusCode !== 200) reject(new Error(`status ${incoming.statusCode}`));
        incoming.on('end', resolve).on('error', reject).resume();
      });
      outgoing.on('error', reject).end('{}');
    });
  const one = async () => {
    const path = free.shift();
    if (path === undefined) throw new Error('more connections than workspaces');
    await post(`${path}/actions/lock`);
    await post(`${path}/actions/unlock`);
    free.push(path);
  };
  return measure(pid, () => repeat(one, milliseconds).finally(() => agent.destroy()));
}

/** As one operation, renames a workspace and then asks for a list that has changed by that. One connection. */
export function renamesBeforeRequests(
  { pid, port }: HttpTarget,
  { workspace, list }: { readonly workspace: string; readonly list: string },
  token: string,
  milliseconds: number,
): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/vnd.api+json' };
  const send = (method: string, path: string, body?: string) =>
    new Promise<void>((resolve, reject) => {
      const outgoing = request({ host: '127.0.0.1', port, method, path, agent, headers }, (incoming) => {
        if (incoming.statusCode !== 200) reject(new Error(`status ${incoming.statusCode}`));
        incoming.on('end', resolve).on('error', reject).resume();
      });
      outgoing.on('error', reject).end(body);
    });
  const one = async () => {
    const name = `payments-eu-renamed-${performance.now().toString().replace('.', '-')}`;
    await send('PATCH', workspace, JSON.stringify({ data: { type: 'workspaces', attributes: { name } } }));
    await send('GET', list);
  };
  return measure(pid, () => repeat(one, milliseconds, 1).finally(() => agent.destroy()));
}

/** Logins one after the other on each of a few TLS connections that stay open: no handshake is in the figure. */
export function loginsOverKeptConnections(
  target: TlsTarget,
  roleName: string,
  milliseconds: number,
): Promise<Measured> {
  const { port, ca, certificate, pid } = target;
  const agent = new TlsAgent({
    keepAlive: true,
    maxSockets: CONCURRENCY,
    ca,
    cert: certificate.pem,
    key: certificate.keyPem,
  });
  const body = JSON.stringify({ name: roleName });
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const options = { host: '127.0.0.1', port, method: 'POST', path: '/v1/auth/cert/login', agent, headers };
      const outgoing = tlsRequest(options, (incoming) => {
        if (incoming.statusCode !== 200) reject(new Error(`status ${incoming.statusCode}`));
        incoming.on('end', resolve).on('error', reject).resume();
      });
      outgoing.on('error', reject).end(body);
    });
  return measure(pid, () => repeat(one, milliseconds).finally(() => agent.destroy()));
}

async function repeat(one: () => Promise<void>, milliseconds: number, lanes = CONCURRENCY): Promise<number> {
  const end = performance.now() + milliseconds;
  let done = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() < end) {
      await one();
      done++;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return done;
}
