import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { stopListening } from '../lib/stop-listening.ts';
import type { WorkerProcess } from './worker-process.ts';

/** @limit connections dispatched to a worker but not yet accepted by it, connections -> further ones are closed at once */
const MOST_UNTAKEN = 1_000;
/**
 * @limit connections that wait while no worker is running, connections -> further ones are closed at once
 */
const MOST_WAITING = 1_000;
/** @limit wait of a connection while no worker is running, ms -> the connection is closed */
const WAIT_MS = 10_000;

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Listening sockets of all workers. Each accepted connection goes to the worker with the fewest waiting ones, round
 * robin among equals. The sockets stay open while workers are replaced.
 */
export class ConnectionDispatcher {
  readonly #servers: readonly Server[];
  readonly #addresses: readonly ListenAddress[];
  readonly #workers: WorkerProcess[] = [];
  readonly #waiting = new Map<Socket, number>();

  /** @param acceptFailed called when accepting fails, for example without file descriptors */
  constructor(addresses: readonly ListenAddress[], acceptFailed: (error: Error) => void) {
    this.#addresses = addresses;
    this.#servers = addresses.map((_, listener) =>
      createServer({ pauseOnConnect: true, noDelay: true }, (socket) => this.#dispatch(listener, socket)),
    );
    this.#acceptFailed = acceptFailed;
  }

  readonly #acceptFailed: (error: Error) => void;

  /** @throws the error of `net.Server#listen`; then no socket is open */
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

  /** Adds a worker to the rotation. */
  addWorker(worker: WorkerProcess): void {
    this.#workers.push(worker);
    for (const [socket, listener] of this.#waiting) {
      this.#waiting.delete(socket);
      this.#dispatch(listener, socket);
    }
  }

  /** Removes a worker from the rotation. */
  removeWorker(worker: WorkerProcess): void {
    const at = this.#workers.indexOf(worker);
    if (at >= 0) this.#workers.splice(at, 1);
  }

  /** Closes the sockets. Accepted connections are not lost. */
  async close(): Promise<void> {
    await Promise.all(
      this.#servers.map(async (server) => server.listening && stopListening(server, () => server.close())),
    );
    for (const socket of this.#waiting.keys()) socket.destroy();
  }

  #dispatch(listener: number, socket: Socket): void {
    // The client may disconnect before a worker takes the connection.
    if (socket.listenerCount('error') === 0) socket.on('error', () => {});
    const worker = this.#next();
    if (worker === undefined) this.#keep(listener, socket);
    else if (worker.pendingConnections >= MOST_UNTAKEN) socket.destroy();
    else worker.sendConnection(listener, socket, (pendingConnections) => this.#dispatch(listener, pendingConnections));
  }

  /**
   * Returns the worker with the fewest waiting connections, so that a blocked worker gets only a few. Round robin
   * among equals.
   */
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
