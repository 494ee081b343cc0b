import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { type EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Sink } from './audit-sink.ts';
import { type Facility, frame, message } from './syslog-message.ts';

/** Address of a collector. */
export type SyslogAddress =
  | { readonly transport: 'udp' | 'tcp'; readonly host: string; readonly port: number }
  | { readonly transport: 'unix'; readonly path: string };

const CONNECT_MS = 2_000;
/**
 * Time without progress after which the connection is replaced.
 * @limit time in which a syslog collector reads nothing, ms -> the server reconnects
 */
const STALL_MS = 10_000;
const KEEP_ALIVE_MS = 30_000;

export function syslogSink(address: SyslogAddress, facility: Facility): Sink {
  return address.transport === 'udp'
    ? new DatagramSink(address.host, address.port, facility)
    : new StreamSink(address.transport === 'unix' ? { path: address.path } : address, facility);
}

type StreamTarget = { readonly path: string } | { readonly host: string; readonly port: number };

/** Syslog over a connection, with octet counting (RFC 6587 §3.4.1). Connects on demand. */
class StreamSink implements Sink {
  readonly #target: StreamTarget;
  readonly #facility: Facility;
  #socket: Socket | undefined;

  constructor(target: StreamTarget, facility: Facility) {
    this.#target = target;
    this.#facility = facility;
  }

  async write(lines: readonly string[]): Promise<void> {
    const socket = await this.#connected();
    const frames = lines.map((line) => frame(line, this.#facility));
    socket.setTimeout(STALL_MS);
    await new Promise<void>((resolve, reject) => {
      socket.write(frames.join(''), (error) => (error ? reject(error) : resolve()));
    });
    socket.setTimeout(0);
  }

  reopen(): Promise<void> {
    return this.close();
  }

  async close(): Promise<void> {
    const socket = this.#socket;
    if (!socket || socket.destroyed) return;
    socket.setTimeout(CONNECT_MS);
    await closed(socket, () => socket.end());
  }

  async #connected(): Promise<Socket> {
    if (this.#socket?.writable) return this.#socket;
    const socket = connect({ ...this.#target, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS });
    socket.on('timeout', () => socket.destroy(new Error('ETIMEDOUT')));
    socket.setTimeout(CONNECT_MS);
    await once(socket, 'connect');
    socket.on('error', () => {}).resume();
    this.#socket = socket;
    return socket;
  }
}

/** Syslog over UDP: one datagram for each line. A missing listener is noticed at the next datagram, or never. */
class DatagramSink implements Sink {
  readonly #host: string;
  readonly #port: number;
  readonly #facility: Facility;
  #socket: DatagramSocket | undefined;
  #refused: Error | undefined;

  constructor(host: string, port: number, facility: Facility) {
    this.#host = host;
    this.#port = port;
    this.#facility = facility;
  }

  /** A socket with an error is discarded. The next line opens a new one. */
  async write(lines: readonly string[]): Promise<void> {
    const socket = this.#socket ?? (await this.#connected());
    try {
      if (this.#refused) throw this.#refused;
      for (const line of lines) await send(socket, message(line, this.#facility));
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  reopen(): Promise<void> {
    return this.close();
  }

  async close(): Promise<void> {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#refused = undefined;
    if (socket) await closed(socket, () => socket.close());
  }

  /** Connects the socket, because only then the system reports a missing listener. */
  async #connected(): Promise<DatagramSocket> {
    const socket = createSocket(this.#host.includes(':') ? 'udp6' : 'udp4');
    try {
      socket.connect(this.#port, this.#host);
      await once(socket, 'connect');
    } catch (error) {
      await closed(socket, () => socket.close());
      throw error;
    }
    socket.on('error', (error) => {
      this.#refused = error;
    });
    this.#socket = socket;
    return socket;
  }
}

function send(socket: DatagramSocket, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.send(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Ignores further errors of the socket. */
function closed(socket: EventEmitter, close: () => void): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve());
    close();
  });
}
