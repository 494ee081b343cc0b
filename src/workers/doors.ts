import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { stopListening } from '../lib/stop-listening.ts';
import type { WorkerProcess } from './worker-process.ts';

/**
 * @limit connections that wait while there is no worker, connections -> more are closed at once
 */
const MOST_WAITING = 1_000;
/** @limit the time for which they wait, ms -> they are closed */
const WAIT_MS = 10_000;

export interface DoorAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * The listening sockets of all workers. Whoever accepts hands each connection to the next worker in turn, so that they have alike many;
 * and the sockets stay open while workers come and go.
 */
export class Doors {
  readonly #servers: readonly Server[];
  readonly #addresses: readonly DoorAddress[];
  readonly #workers: WorkerProcess[] = [];
  readonly #waiting = new Map<Socket, number>();

  /** @param acceptFailed told when a connection could not be accepted, for want of file descriptors for example */
  constructor(addresses: readonly DoorAddress[], acceptFailed: (error: Error) => void) {
    this.#addresses = addresses;
    this.#servers = addresses.map((_, listener) =>
      createServer({ pauseOnConnect: true, noDelay: true }, (socket) => this.#handOut(listener, socket)),
    );
    this.#acceptFailed = acceptFailed;
  }

  readonly #acceptFailed: (error: Error) => void;

  /** @throws what `net.Server#listen` reports; none is open then */
  async open(): Promise<AddressInfo[]> {
    const opened = this.#servers.map(async (server, listener) => {
      server.listen(this.#addresses[listener]);
      await once(server, 'listening');
      server.on('error', this.#acceptFailed);
      return server.address() as AddressInfo;
    });
    try {
      return await Promise.all(opened);
    } catch (error) {
      await Promise.allSettled(opened);
      for (const server of this.#servers) server.close();
      throw error;
    }
  }

  /** From now on it is given its part. */
  admit(worker: WorkerProcess): void {
    this.#workers.push(worker);
    for (const [socket, listener] of this.#waiting) {
      this.#waiting.delete(socket);
      this.#handOut(listener, socket);
    }
  }

  /** No more from now on. */
  dismiss(worker: WorkerProcess): void {
    const at = this.#workers.indexOf(worker);
    if (at >= 0) this.#workers.splice(at, 1);
  }

  /** Nobody who has got in is lost. */
  async close(): Promise<void> {
    await Promise.all(
      this.#servers.map(async (server) => server.listening && stopListening(server, () => server.close())),
    );
    for (const socket of this.#waiting.keys()) socket.destroy();
  }

  #handOut(listener: number, socket: Socket): void {
    const worker = this.#next();
    if (worker) worker.send({ do: 'take', listener }, socket);
    else this.#keep(listener, socket);
  }

  #next(): WorkerProcess | undefined {
    for (let tried = this.#workers.length; tried > 0; tried--) {
      const worker = this.#workers.shift();
      if (worker) this.#workers.push(worker);
      if (worker?.isThere) return worker;
    }
    return undefined;
  }

  #keep(listener: number, socket: Socket): void {
    socket.on('error', () => {}).once('close', () => this.#waiting.delete(socket));
    if (this.#waiting.size >= MOST_WAITING) socket.destroy();
    else
      this.#waiting.set(
        socket.setTimeout(WAIT_MS, () => socket.destroy()),
        listener,
      );
  }
}
