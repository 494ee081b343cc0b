import { once } from 'node:events';
import { createServer, request, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Installation } from './installation.ts';

/**
 * Request of an agent by its name in tests: `POST start`, `PATCH log`, `POST state-versions final`, `PUT state
 * intermediate`.
 */
type Name = string;

interface Moment {
  readonly name: Name;
  readonly isAnswered: boolean;
  readonly deed: () => Promise<void>;
  readonly happened: () => void;
}

/**
 * Proxy between an agent and its server, which knows the operation of each request. Tests use it to kill or block
 * either side at a given request.
 */
export class Gate {
  /** Requests in order. */
  readonly asked: Name[] = [];
  readonly #installation: Installation;
  readonly #server: Server;
  readonly #moments: Moment[] = [];
  #which = '';

  private constructor(installation: Installation) {
    this.#installation = installation;
    const certificate = installation.authority.issue({
      ...{ subject: 'gate', ips: ['127.0.0.1'] },
      extendedKeyUsage: ['serverAuth'],
    });
    this.#server = createServer({ cert: certificate.pem, key: certificate.keyPem });
    this.#server.on('request', (incoming, outgoing) => {
      this.#pass(incoming, outgoing).catch(() => incoming.socket.destroy());
    });
  }

  static async open(installation: Installation): Promise<Gate> {
    const gate = new Gate(installation);
    gate.#server.listen(0, '127.0.0.1');
    await once(gate.#server, 'listening');
    return gate;
  }

  get address(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /**
   * Runs an action at the first request of this name: before the server gets it, or after it has answered. The agent
   * gets no response, and its connection is closed.
   */
  at(name: Name, when: 'before' | 'after', deed: () => Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#moments.push({ name, isAnswered: when === 'after', deed, happened: resolve });
    return promise;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #pass(...[incoming, outgoing]: Parameters<Parameters<typeof createServer>[1] & {}>): Promise<void> {
    const body = await buffer(incoming);
    const name = this.#nameOf(`${incoming.method} ${incoming.url}`, body);
    this.asked.push(name);
    const index = this.#moments.findIndex((one) => one.name === name);
    const [moment] = index < 0 ? [] : this.#moments.splice(index, 1);
    const answer = moment?.isAnswered === false ? undefined : await this.#forward(incoming, body);
    if (moment !== undefined) {
      incoming.socket.destroy();
      await moment.deed();
      moment.happened();
    } else if (answer !== undefined) outgoing.writeHead(answer.status, answer.headers).end(answer.bytes);
  }

  #nameOf(asked: string, body: Buffer): Name {
    const [method = '', url = ''] = asked.split(' ');
    const last = url.replace(/\?.*/, '').split('/').at(-1) ?? '';
    if (method === 'POST' && last === 'state-versions') {
      this.#which = JSON.parse(body.toString()).data.attributes.intermediate ? 'intermediate' : 'final';
      return `POST state-versions ${this.#which}`;
    }
    if (method === 'PUT' && /hosted-state|state-versions/.test(url)) return `PUT state ${this.#which}`;
    const phase = /(plan|apply)-\w+/.exec(url)?.[1];
    return [method, ...(phase === undefined ? [] : [phase]), last].join(' ');
  }

  async #forward({ method, url, headers }: Parameters<Parameters<typeof createServer>[1] & {}>[0], body: Buffer) {
    const place = new URL(url ?? '', this.#installation.address);
    const { authority } = this.#installation;
    const outgoing = request(place, { method: method ?? '', headers, ca: authority.pem, agent: false }).end(body);
    const [answer] = await once(outgoing, 'response');
    return { status: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) };
  }
}
