import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { stopListening } from '../lib/stop-listening.ts';
import type { WorkerProcess } from './worker-process.ts';

/** @limit connections that each worker is given before it takes them, connections -> more are closed at once */
const MOST_UNTAKEN = 1_000;
/**
 * @limit connections that wait while there is no worker, connections -> more are closed at once
 */
const MOST_WAITING = 1_000;
/** @limit the time for which they wait, ms -> they are closed */
const WAIT_MS = 10_000;

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * The listening sockets of all workers. Whoever accepts hands each connection to the worker for which the fewest wait, in turn, so that they have alike many;
 * and the sockets stay open while workers come and go.
 */
export class ConnectionDispatcher {
  readonly #servers: readonly Server[];
  readonly #addresses: readonly ListenAddress[];
  readonly #workers: WorkerProcess[] = [];
  readonly #waiting = new Map<Socket, number>();

  /** @param acceptFailed told when a connection could not be accepted, for want of file descriptors for example */
  constructor(addresses: readonly ListenAddress[], acceptFailed: (error: Error) => void) {
    this.#addresses = addresses;
    this.#servers = addresses.map((_, listener) =>
      createServer({ pauseOnConnect: true, noDelay: true }, (socket) => this.#dispatch(listener, socket)),
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
  addWorker(worker: WorkerProcess): void {
    this.#workers.push(worker);
    for (const [socket, listener] of this.#waiting) {
      this.#waiting.delete(socket);
      this.#dispatch(listener, socket);
    }
  }

  /** No more from now on. */
  removeWorker(worker: WorkerProcess): void {
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

  #dispatch(listener: number, socket: Socket): void {
    // Its client may be gone before anybody has taken it.
    if (socket.listenerCount('error') === 0) socket.on('error', () => {});
    const worker = this.#next();
    if (worker === undefined) this.#keep(listener, socket);
    else if (worker.pendingConnections >= MOST_UNTAKEN) socket.destroy();
    else worker.sendConnection(listener, socket, (pendingConnections) => this.#dispatch(listener, pendingConnections));
  }

  /** Of those that are there, the one for which the fewest wait: whoever stands still is given no more than a few. Alike many: in turn. */
  #next(): WorkerProcess | undefined {
    const [next] = this.#workers
      .filter((worker) => worker.isReady)
      .sort((a, b) => a.pendingConnections - b.pendingConnections);
    if (next === undefined) return undefined;
    this.#workers.splice(this.#workers.indexOf(next), 1);
    this.#workers.push(next);
    return next;
  }

  #keep(listener: number, socket: Socket): void {
    socket.once('close', () => this.#waiting.delete(socket));
    if (this.#waiting.size >= MOST_WAITING) socket.destroy();
    else
      this.#waiting.set(
        socket.setTimeout(WAIT_MS, () => socket.destroy()),
        listener,
      );
  }
}
