import { once } from 'node:events';
import { connect } from 'node:tls';
import { Lane, type Request, type Target } from './lane.ts';
import { type Measured, measure } from './measure.ts';

/** Default number of connections. The client shares the machine with the server. */
const CONCURRENCY = 8;

export type TlsTarget = Target & Required<Pick<Target, 'ca' | 'certificate'>>;
export type HttpTarget = Pick<Target, 'pid' | 'port'>;

/** Repeats an operation of one or more requests on a few kept connections. */
export async function overKeptConnections(
  target: Target,
  operation: (lane: Lane) => Promise<unknown>,
  milliseconds: number,
  lanes = CONCURRENCY,
): Promise<Measured> {
  const open = await Promise.all(Array.from({ length: lanes }, () => Lane.open(target)));
  const run = (lane: number) => operation(open[lane] as Lane);
  return measure(target.pid, () => repeat(run, milliseconds, lanes)).finally(() => {
    for (const lane of open) lane.close();
  });
}

/** Uses a new connection for each operation. */
export function overNewConnections(
  target: Target,
  operation: (lane: Lane) => Promise<unknown>,
  milliseconds: number,
): Promise<Measured> {
  const one = async () => {
    const lane = await Lane.open(target);
    await operation(lane);
    lane.close();
  };
  return measure(target.pid, () => repeat(one, milliseconds, CONCURRENCY));
}

/** Handshakes only; waits for the bare server's byte. */
export function bareHandshakes({ port, ca, certificate, pid }: TlsTarget, milliseconds: number): Promise<Measured> {
  const one = async () => {
    const identity = { cert: certificate.pem, key: certificate.keyPem };
    const socket = connect({ host: '127.0.0.1', port, ca, ecdhCurve: 'X25519', ...identity });
    await once(socket, 'data');
    socket.destroy();
  };
  return measure(pid, () => repeat(one, milliseconds, CONCURRENCY));
}

/** A certificate login. @param role its name; empty: any role that accepts the certificate */
export function loginRequest(role = ''): Request {
  const headers = { 'content-type': 'application/json' };
  return {
    method: 'POST',
    path: '/v1/auth/cert/login',
    headers,
    body: role === '' ? '{}' : JSON.stringify({ name: role }),
  };
}

/** A workspace API request. */
export function apiRequest(method: string, path: string, token: string, document?: object): Request {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/vnd.api+json' };
  return { method, path, headers, ...(document && { body: JSON.stringify(document) }) };
}

export function requestsOverKeptConnections(target: HttpTarget, path: string, token: string, milliseconds: number) {
  const request = apiRequest('GET', path, token);
  return overKeptConnections(target, (lane) => lane.send(request), milliseconds);
}

export function loginsOverKeptConnections(target: TlsTarget, role: string, milliseconds: number, lanes = CONCURRENCY) {
  const request = loginRequest(role);
  return overKeptConnections(target, (lane) => lane.send(request), milliseconds, lanes);
}

/** Locks and unlocks each of these workspaces in turn, as one operation. No workspace is used twice at a time. */
export function locksOverKeptConnections(
  target: HttpTarget,
  paths: readonly string[],
  token: string,
  milliseconds: number,
): Promise<Measured> {
  const free = [...paths];
  const lockAndUnlock = async (lane: Lane) => {
    const path = free.shift();
    if (path === undefined) throw new Error('more connections than workspaces');
    await lane.send(apiRequest('POST', `${path}/actions/lock`, token, {}));
    await lane.send(apiRequest('POST', `${path}/actions/unlock`, token, {}));
    free.push(path);
  };
  return overKeptConnections(target, lockAndUnlock, milliseconds);
}

/** Renames a workspace and then reads a list that contains it, as one operation on one connection. */
export function renamesBeforeRequests(
  target: HttpTarget,
  { workspace, list }: { readonly workspace: string; readonly list: string },
  token: string,
  milliseconds: number,
): Promise<Measured> {
  const renameAndList = async (lane: Lane) => {
    const name = `payments-eu-renamed-${performance.now().toString().replace('.', '-')}`;
    await lane.send(apiRequest('PATCH', workspace, token, { data: { type: 'workspaces', attributes: { name } } }));
    await lane.send(apiRequest('GET', list, token));
  };
  return overKeptConnections(target, renameAndList, milliseconds, 1);
}

async function repeat(one: (lane: number) => Promise<unknown>, milliseconds: number, lanes: number): Promise<number> {
  const end = performance.now() + milliseconds;
  let done = 0;
  const lane = async (number: number): Promise<void> => {
    while (performance.now() < end) {
      await one(number);
      done++;
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
  return done;
}
