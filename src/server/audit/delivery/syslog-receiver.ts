import { once } from 'node:events';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type Facility, frame } from '../syslog-message.ts';
import type { Receiver } from './batch-sender.ts';
import type { ReceiverSecrets } from './receiver-secrets.ts';

export interface SyslogReceiverOptions {
  readonly target: { readonly host: string; readonly port: number } | { readonly path: string };
  /** Syslog over TLS (RFC 5425); the certificate of the collector is verified. */
  readonly isTls: boolean;
  readonly facility: Facility;
  readonly secrets: () => Promise<ReceiverSecrets>;
}

const CONNECT_MS = 10_000;
const KEEP_ALIVE_MS = 30_000;

/**
 * Syslog collector over a connection. The protocol has no acknowledgement (RFC 5424, 5425, 6587), so each batch uses
 * its own connection: we end it after the last message, and an orderly close by the collector counts as
 * acknowledgement.
 */
export class SyslogReceiver implements Receiver {
  readonly #options: SyslogReceiverOptions;
  #secrets: ReceiverSecrets = {};
  /** TLS session of the previous connection, for a short handshake. */
  #session: Buffer | undefined;

  constructor(options: SyslogReceiverOptions) {
    this.#options = options;
  }

  async reload(): Promise<void> {
    this.#secrets = await this.#options.secrets();
    this.#session = undefined;
  }

  async deliver(lines: readonly string[], signal: AbortSignal): Promise<void> {
    const socket = await this.#connected(signal);
    const broken = () => socket.destroy(signal.reason);
    signal.addEventListener('abort', broken);
    try {
      await closedInOrder(socket, lines.map((line) => frame(line, this.#options.facility)).join(''));
    } finally {
      signal.removeEventListener('abort', broken);
      socket.on('error', () => {}).destroy();
    }
  }

  close(): void {}

  async #connected(signal: AbortSignal): Promise<Socket> {
    const { target, isTls } = this.#options;
    const socket = isTls && 'host' in target ? this.#tls(target) : connectPlain(target);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    const late = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]);
    try {
      await once(socket, isTls ? 'secureConnect' : 'connect', { signal: late });
      return socket;
    } catch (error) {
      socket.on('error', () => {}).destroy();
      throw late.aborted && !signal.aborted ? Object.assign(new Error(), { code: 'ETIMEDOUT' }) : error;
    }
  }

  #tls({ host, port }: { host: string; port: number }): Socket {
    const socket = connectTls({
      ...{ host, port, servername: isIP(host) === 0 ? host : '' },
      ...this.#secrets.tls,
      ...(this.#session && { session: this.#session }),
    });
    return socket.on('session', (session) => {
      this.#session = session;
    });
  }
}

/**
 * Sends a batch, ends the connection and waits for the other side to close. @throws if the connection closes in
 * another order
 */
async function closedInOrder(socket: Socket, text: string): Promise<void> {
  let isSent = false;
  let endedBehind = false;
  socket.once('finish', () => {
    isSent = true;
  });
  socket.once('end', () => {
    endedBehind = isSent;
  });
  const closed = once(socket, 'close');
  socket.resume().end(text);
  await closed;
  if (!endedBehind) throw Object.assign(new Error('closed too early'), { code: 'ECONNRESET' });
}
