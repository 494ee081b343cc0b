import { createServer, type Server } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestServer } from '../../support/server.ts';

type Before = (path: string) => Promise<unknown>;

/** Forwards plain HTTP to a server, and loses the responses to some of the POST requests that the server has executed. */
export class LossyRelay {
  readonly #server: Server;
  #posts = 0;

  private constructor({ address, ca }: TestServer, every: number, before: Before) {
    this.#server = createServer(async (incoming, outgoing) => {
      const { method, headers, url = '/' } = incoming;
      await before(url);
      const isLost = method === 'POST' && ++this.#posts % every === 0;
      // The server names itself in URLs of uploads, which do not pass the relay.
      const options = { method, headers: { ...headers, host: new URL(address).host }, ca };
      const forwarded = request(new URL(url, address), options, (answer) => {
        if (isLost) {
          answer.resume().on('end', () => outgoing.destroy());
          return;
        }
        outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(outgoing);
      });
      forwarded.on('error', () => outgoing.destroy());
      incoming.pipe(forwarded);
    });
  }

  /**
   * @param every number of POST requests of which the last one loses its response
   * @param before called before a request is forwarded
   */
  static async start(server: TestServer, every: number, before: Before = async () => {}): Promise<LossyRelay> {
    const relay = new LossyRelay(server, every, before);
    await new Promise<void>((resolve) => {
      relay.#server.listen(0, '127.0.0.1', resolve);
    });
    return relay;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }
}
