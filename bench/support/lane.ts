import { once } from 'node:events';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** Address of a server under load. */
export interface Target {
  readonly pid: number;
  readonly port: number;
  /** Absent: no TLS. */
  readonly ca?: string;
  /** Client certificate for the handshake. */
  readonly certificate?: { readonly pem: string; readonly keyPem: string };
}

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * One connection of a load, with hand-written HTTP/1.1: the client shares the machine with the server, and Node's
 * client would use as much CPU as the server.
 */
export class Lane {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #wake: () => void = () => {};
  #ended: Error | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (data: Buffer) => {
      this.#received = this.#received.length === 0 ? data : Buffer.concat([this.#received, data]);
      this.#wake();
    });
    const end = (error: Error) => {
      this.#ended ??= error;
      this.#wake();
    };
    socket.on('error', end).on('close', () => end(new Error('the server closed the connection')));
  }

  static async open({ port, ca, certificate }: Target): Promise<Lane> {
    const host = '127.0.0.1';
    const tls = {
      ca,
      cert: certificate?.pem,
      key: certificate?.keyPem,
      ecdhCurve: 'X25519',
      ALPNProtocols: ['http/1.1'],
    };
    const socket = ca === undefined ? connectPlain({ host, port }) : connectTls({ host, port, ...tls });
    await once(socket, ca === undefined ? 'connect' : 'secureConnect');
    return new Lane(socket);
  }

  /** @throws Error for a status other than 2xx */
  async send({ method, path, headers = {}, body = '' }: Request): Promise<string> {
    const fields = Object.entries({ host: 'localhost', ...headers, 'content-length': Buffer.byteLength(body) });
    const head = `${method} ${path} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
    if (typeof body === 'string') this.#socket.write(head + body);
    else {
      this.#socket.cork();
      this.#socket.write(head);
      this.#socket.write(body);
      this.#socket.uncork();
    }
    return this.#answer();
  }

  close(): void {
    this.#socket.destroy();
  }

  async #answer(): Promise<string> {
    const headEnd = await this.#when(() => {
      const at = this.#received.indexOf(HEAD_END);
      return at < 0 ? undefined : at + HEAD_END.length;
    });
    const head = this.#received.toString('latin1', 0, headEnd);
    const end = headEnd + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    await this.#when(() => (this.#received.length >= end ? true : undefined));
    const text = this.#received.toString('utf8', headEnd, end);
    this.#received = this.#received.subarray(end);
    if (!/^HTTP\/1\.1 2/.test(head)) throw new Error(`${head.slice(0, 200)}${text.slice(0, 300)}`);
    return text;
  }

  async #when<T>(look: () => T | undefined): Promise<T> {
    for (;;) {
      const seen = look();
      if (seen !== undefined) return seen;
      if (this.#ended) throw this.#ended;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
