import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A TCP relay on loopback: clients keep one address while servers stop and start behind it. It can interrupt an upload.
 */
export class Relay {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #target: number | undefined;
  #halt: { readonly bytes: number; readonly halted: () => void } | undefined;

  private constructor(target: string) {
    this.#target = portOf(target);
    this.#server = createServer((client) => this.#join(client));
  }

  /** @param target URL of the server, `https://127.0.0.1:40123` */
  static async start(target: string): Promise<Relay> {
    const relay = new Relay(target);
    relay.#server.listen(0, '127.0.0.1');
    await once(relay.#server, 'listening');
    return relay;
  }

  /** `127.0.0.1:40124` */
  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Without a target, it refuses connections from now on. */
  turnTo(target: string | undefined): void {
    this.#target = target === undefined ? undefined : portOf(target);
  }

  /** Stops forwarding the first connection on which a client sends more than `bytes`. Resolves at that moment. */
  haltAfter(bytes: number): Promise<void> {
    return new Promise((halted) => {
      this.#halt = { bytes, halted };
    });
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(client: Socket): void {
    if (this.#target === undefined) return void client.destroy();
    const server = connect(this.#target, '127.0.0.1');
    let sent = 0;
    client.on('data', (chunk) => {
      sent += chunk.length;
      if (this.#halt === undefined || sent < this.#halt.bytes) return;
      client.unpipe(server);
      this.#halt.halted();
      this.#halt = undefined;
    });
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }
}

function portOf(address: string): number {
  return Number(new URL(address).port);
}
