import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * Network between an agent and its server. A test can cut it: then no data arrives on either side, and no connection
 * is closed.
 */
export class Wire {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isLost = false;

  private constructor(port: number) {
    this.#server = createServer((near) => {
      const far = connect(port, '127.0.0.1');
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one);
        one.on('data', (bytes) => void (this.#isLost || other.write(bytes)));
        one.on('error', () => {});
        one.on('close', () => {
          this.#sockets.delete(one);
          if (!this.#isLost) other.destroy();
        });
      }
    });
  }

  /** Forwards to a port of this machine. */
  static async to(port: number): Promise<Wire> {
    const wire = new Wire(port);
    wire.#server.listen(0, '127.0.0.1');
    await once(wire.#server, 'listening');
    return wire;
  }

  get address(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  lose(): void {
    this.#isLost = true;
  }

  /** Restores the connection. Data in transit is lost: earlier connections are closed. */
  restore(): void {
    this.#isLost = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}
