import { Agent, request } from 'node:http';
import { expect } from 'vitest';
import { Command } from '../../support/command.ts';
import { type Answer, type CallOptions, call } from '../../support/http.ts';

interface NodeOptions {
  /** Also the application name of its database connections. */
  readonly name: string;
  readonly config: string;
  /** Ports, which do not change with a restart. */
  readonly tls: number;
  readonly plain: number;
  /** PEM. */
  readonly ca: string;
  readonly environment: Record<string, string>;
}

/** Result of a request. Status 0: the connection broke, and the request may have been executed. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  readonly body: any;
  /** Error code when the status is 0: `ECONNRESET`. */
  readonly code?: string;
}

/** One node: `lockkeeper serve` as a process that the test kills, pauses and restarts. */
export class Node {
  readonly options: NodeOptions;
  readonly address: string;
  #agent = new Agent({ keepAlive: true });
  #command: Command | undefined;

  constructor(options: NodeOptions) {
    this.options = options;
    this.address = `http://127.0.0.1:${options.plain}`;
  }

  get pid(): number {
    return this.#command?.process.pid ?? 0;
  }

  /** Returns the log lines with this message. */
  logged(message: string): ReturnType<Command['logged']> {
    return this.#command?.logged(message) ?? [];
  }

  command(...args: readonly string[]): Command {
    return new Command([...args, '--config', this.options.config], this.options.environment);
  }

  /**
   * Resolves when the node is ready.
   * @throws Error with the program's output when it exits before
   */
  async start(): Promise<void> {
    this.#command = this.command('serve');
    await this.#command.ready();
  }

  /** Kills the node, as a power cut does. */
  async kill(): Promise<void> {
    this.#agent.destroy();
    this.#agent = new Agent({ keepAlive: true });
    await this.#command?.kill();
  }

  /** Stops the node with SIGTERM, as an operator does. */
  async stop(): Promise<void> {
    this.#command?.signal('SIGTERM');
    expect(await this.#command?.ended()).toMatchObject({ code: 0, stderr: '' });
  }

  pause(): void {
    this.#command?.signal('SIGSTOP');
  }

  resume(): void {
    this.#command?.signal('SIGCONT');
  }

  /** Returns whether the node reports that it is ready. */
  async isReady(): Promise<boolean> {
    return (await this.ask('GET', '/healthz/ready')).status === 200;
  }

  /** Sends a request over TLS, as machines log in. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer> {
    const { tls, ca } = this.options;
    return call({ address: `https://127.0.0.1:${tls}`, ca }, method, path, options);
  }

  /** Sends a request on a kept connection. */
  ask(method: string, path: string, token?: string, body?: unknown, patience = 90_000): Promise<Reply> {
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(bytes && { 'content-type': 'application/vnd.api+json', 'content-length': bytes.length }),
    };
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const lost = (error: NodeJS.ErrnoException) =>
      resolve({ status: 0, text: error.message, body: undefined, code: error.code ?? '' });
    const outgoing = request(new URL(path, this.address), { method, headers, agent: this.#agent }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', lost);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = /json/.test(incoming.headers['content-type'] ?? '') && text !== '';
        resolve({ status: incoming.statusCode ?? 0, text, body: isJson ? JSON.parse(text) : undefined });
      });
    });
    outgoing.setTimeout(patience, () => outgoing.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })));
    outgoing.on('error', lost);
    outgoing.end(bytes);
    return promise;
  }
}
