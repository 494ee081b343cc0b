import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { type EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Sink } from './audit-sink.ts';
import { type Facility, frame, message } from './syslog-message.ts';

/** Where a collector listens. */
export type SyslogAddress =
  | { readonly transport: 'udp' | 'tcp'; readonly host: string; readonly port: number }
  | { readonly transport: 'unix'; readonly path: string };

const CONNECT_MS = 2_000;
/**
 * A collector that reads nothing for so long is given up, and dialled again.
 * @limit a collector that reads nothing, ms -> the connection is dialled again
 */
const STALL_MS = 10_000;
const KEEP_ALIVE_MS = 30_000;

export function syslogSink(address: SyslogAddress, facility: Facility): Sink {
  return address.transport === 'udp'
    ? new DatagramSink(address.host, address.port, facility)
    : new StreamSink(address.transport === 'unix' ? { path: address.path } : address, facility);
}

type StreamTarget = { readonly path: string } | { readonly host: string; readonly port: number };

/** Over a connection, each message after its length (octet counting, RFC 6587 §3.4.1). Connects when there is something to say. */
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

/** One datagram for each line. That nobody listens is learned from what the system says of the one before, or never. */
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

  /** A socket that had an error is thrown away: the next line has a new one. */
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

  /** Connected: only so does the system tell that nobody listens. */
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

/** Whatever else happens to it meanwhile. */
function closed(socket: EventEmitter, close: () => void): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve());
    close();
  });
}
