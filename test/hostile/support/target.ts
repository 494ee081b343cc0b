import type { EventEmitter } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2, type Settings } from 'node:http2';
import { connect as connectTcp, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';

/** Information that an attacker has. A stranger knows the URL of the server, and no secrets. */
export interface Target {
  readonly port: number;
  readonly ca: string;
  /** Root token, for attacks of a malicious administrator. */
  readonly rootToken?: string;
}

/**
 * Attacks until its process is killed, which also frees its resources.
 * @param ready called once the preparations are complete, by attacks that have some
 */
export type Attack = (target: Target, ready: () => void) => Promise<void>;

/** Attackers use their own IP address, because an IP address may exhaust its own limits. */
const ATTACKER = '127.0.0.2';
/** Path of the largest response that needs no token. */
export const LARGE_ANSWER = '/v1/sys/internal/specs/openapi';

export function dialTcp({ port }: Target): Socket {
  const socket = connectTcp({ host: '127.0.0.1', port, localAddress: ATTACKER });
  // The server may correctly close the connection.
  socket.on('error', () => {});
  return socket;
}

export async function dial(target: Target, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = connectTls({ socket: dialTcp(target), ca: target.ca, servername: 'localhost', ...options });
  socket.on('error', () => {});
  await until(socket, 'secureConnect');
  return socket;
}

export async function dialHttp2(target: Target, settings: Settings = {}): Promise<ClientHttp2Session> {
  const socket = await dial(target, { ALPNProtocols: ['h2'] });
  const session = connectHttp2('https://localhost', { createConnection: () => socket, settings });
  session.on('error', () => {});
  await until(session, 'remoteSettings');
  return session;
}

export function get(path: string, headers = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Resolves on the event, when the emitter closes, or after `most` milliseconds. */
export function until(
  of: EventEmitter & { readonly destroyed?: boolean },
  event: string,
  most = 60_000,
): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      of.off(event, done).off('close', done);
      resolve();
    };
    const timer = setTimeout(done, most);
    of.on(event, done).on('close', done);
    if (of.destroyed) done();
  });
}

/**
 * Repeats `turn` in `count` concurrent loops. Each pauses between two turns, so that the machine is not the
 * bottleneck.
 */
export async function lanes(count: number, between: number, turn: () => Promise<void>): Promise<void> {
  const lane = async (): Promise<void> => {
    for (;;) {
      await turn();
      await pause(between);
    }
  };
  await Promise.all(Array.from({ length: count }, lane));
}
