import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';

/** PostgreSQL's response to a successful COMMIT. */
const COMMITTED = Buffer.from('COMMIT\0');

/** A network to a PostgreSQL server, on loopback. It can cut a connection between a COMMIT and its response. */
export class LossyNetwork {
  /** URL of the database through this network. */
  readonly url: string;
  /** Number of responses that were lost. */
  lost = 0;
  readonly #server: Server;
  #loses = false;

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
      client.on('data', (bytes) => database.write(bytes));
      database.on('data', (bytes) => {
        if (network.#cuts(bytes)) end();
        else client.write(bytes);
      });
      for (const socket of [client, database]) socket.on('close', end).on('error', end);
    });
    return network;
  }

  /** Loses the response of every COMMIT during the work. The database has committed by then. */
  async losingCommits<T>(work: () => Promise<T>): Promise<T> {
    this.#loses = true;
    try {
      return await work();
    } finally {
      this.#loses = false;
    }
  }

  /** Close the connections first. */
  close(): void {
    this.#server.close();
  }

  #cuts(bytes: Buffer): boolean {
    if (!this.#loses || !bytes.includes(COMMITTED)) return false;
    this.lost += 1;
    return true;
  }
}
