import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { message, Wire } from './listening.ts';

/** Target of a load. Without `ca`: plain HTTP. */
export interface Target {
  readonly port: number;
  readonly ca?: string;
}

export interface LoadOptions {
  /** Number of concurrent clients; each sends its next request after the last response. */
  readonly clients: number;
  readonly path: string;
  /** HTTP/1.1 or HTTP/2. */
  readonly protocol: 1 | 2;
  /** Whether a client reuses its connection, as long as the server keeps it open. */
  readonly keepAlive: boolean;
}

/** Outcome of the requests. Requests that found no listener are not counted. */
export interface Load {
  readonly answered: number;
  /** Reasons of lost requests: they got no response, and may have been processed. */
  readonly dropped: readonly string[];
  /**
   * Connections and streams (RFC 9113 §6.8) that a client retried elsewhere, because the server had not processed
   * them.
   */
  readonly refused: number;
}

/** Sends requests until no server listens. `answered` is called with the number of responses so far. */
export function startLoad(target: Target, options: LoadOptions): { answered(): number; over: Promise<Load> } {
  const load = { answered: 0, dropped: [] as string[], refused: 0 };
  const client = options.protocol === 1 ? overHttp1 : overHttp2;
  const over = Promise.all(Array.from({ length: options.clients }, () => client(target, options, load)));
  return { answered: () => load.answered, over: over.then(() => load) };
}

interface Counts {
  answered: number;
  dropped: string[];
  refused: number;
}

async function overHttp1(target: Target, { path, keepAlive }: LoadOptions, load: Counts): Promise<void> {
  const request = message('GET', path, keepAlive ? {} : { Connection: 'close' });
  let wire: Wire | undefined;
  for (;;) {
    try {
      wire ??= await dial(target, 'http/1.1');
      const { headers } = await wire.ask(request);
      load.answered++;
      if (headers.connection !== 'close') continue;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') return;
      load.dropped.push(String(wire?.failure ?? error));
    }
    wire?.socket.destroy();
    wire = undefined;
  }
}

async function dial({ port, ca }: Target, protocol: string): Promise<Wire> {
  const address = { host: '127.0.0.1', port };
  const socket = ca ? connectTls({ ...address, ca, ALPNProtocols: [protocol] }) : connectTcp(address);
  const wire = new Wire(socket);
  await once(socket, ca ? 'secureConnect' : 'connect');
  socket.setNoDelay(true);
  return wire;
}

async function overHttp2(target: Target, { path, keepAlive }: LoadOptions, load: Counts): Promise<void> {
  let session: ClientHttp2Session | undefined;
  for (;;) {
    try {
      if (!session || session.closed) {
        session?.destroy();
        session = await dialHttp2(target);
      }
      if ((await answer(session, path)) === 'refused') load.refused++;
      else load.answered++;
      if (!keepAlive) session.close();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') return;
      load.dropped.push(String(error));
      session?.destroy();
      session = undefined;
    }
  }
}

async function dialHttp2({ port, ca }: Target): Promise<ClientHttp2Session> {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { ...(ca && { ca }) });
  await once(session, 'connect');
  session.on('error', () => {});
  return session;
}

async function answer(session: ClientHttp2Session, path: string): Promise<'answered' | 'refused'> {
  const stream = session.request({ ':path': path });
  stream.on('error', () => {});
  let isAnswered = false;
  stream.once('response', () => {
    isAnswered = true;
  });
  stream.resume();
  await once(stream, 'close').catch(() => {});
  if (stream.rstCode === constants.NGHTTP2_REFUSED_STREAM) return 'refused';
  if (!isAnswered || stream.rstCode !== 0) throw new Error(`no answer, code ${stream.rstCode}`);
  return 'answered';
}
