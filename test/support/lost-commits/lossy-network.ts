import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';

/** The command, as the client sends it, and the response to a successful one. */
const COMMIT = 'COMMIT';
const COMMITTED = 'COMMIT\0';

/** Part of a COMMIT that is lost. Without its request nothing is stored, and without its response everything is. */
export type Loss = 'request' | 'response';

/** A network to a PostgreSQL server, on loopback. It can cut a connection at a COMMIT. */
export class LossyNetwork {
  /** URL of the database through this network. */
  readonly url: string;
  readonly #server: Server;
  #loses: Loss | undefined;

  private constructor(url: string, server: Server) {
    this.url = url;
    this.#server = server;
  }

  /** @param url URL of the database */
  static async start(url: string): Promise<LossyNetwork> {
    const { hostname, port } = new URL(url);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const through = new URL(url);
    through.hostname = '127.0.0.1';
    through.port = String((server.address() as AddressInfo).port);
    const network = new LossyNetwork(through.href, server);
    server.on('connection', (client) => {
      const database = connect(Number(port), hostname);
      const end = () => {
        client.destroy();
        database.destroy();
      };
      client.on('data', (bytes) => {
        if (network.#loses === 'request' && bytes.includes(COMMIT)) end();
        else database.write(bytes);
      });
      database.on('data', (bytes) => {
        if (network.#loses === 'response' && bytes.includes(COMMITTED)) end();
        else client.write(bytes);
      });
      for (const socket of [client, database]) socket.on('close', end).on('error', end);
    });
    return network;
  }

  /** Cuts the connection at every COMMIT during the work. */
  async losing<T>(loss: Loss, work: () => Promise<T>): Promise<T> {
    this.#loses = loss;
    try {
      return await work();
    } finally {
      this.#loses = undefined;
    }
  }

  /** Close the connections first. */
  close(): void {
    this.#server.close();
  }
}
