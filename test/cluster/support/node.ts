import { Agent, request } from 'node:http';
import { expect } from 'vitest';
import { Command } from '../../support/command.ts';
import { type Answer, type CallOptions, call } from '../../support/http.ts';

interface NodeOptions {
  /** Also what its connections to the database are called. */
  readonly name: string;
  readonly config: string;
  /** Ports, which stay over restarts. */
  readonly tls: number;
  readonly plain: number;
  /** PEM. */
  readonly ca: string;
  readonly environment: Record<string, string>;
}

/** What a request came to. Status 0: the connection broke, and nobody knows what was done. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  readonly body: any;
  /** `ECONNRESET`, where the status is 0. */
  readonly code?: string;
}

/** One node: `lockkeeper serve` as a process that is killed, paused and started again. */
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

  /** Of the log, those that say this. */
  logged(message: string): ReturnType<Command['logged']> {
    return this.#command?.logged(message) ?? [];
  }

  command(...args: readonly string[]): Command {
    return new Command([...args, '--config', this.options.config], this.options.environment);
  }

  /** Ready when it resolves. Fails with what the program says when it ends before. */
  async start(): Promise<void> {
    this.#command = this.command('serve');
    await this.#command.ready();
  }

  /** As a power cut would. */
  async kill(): Promise<void> {
    this.#agent.destroy();
    this.#agent = new Agent({ keepAlive: true });
    await this.#command?.kill();
  }

  /** As its operator does. */
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

  /** Whether it says that it is ready. */
  async isReady(): Promise<boolean> {
    return (await this.ask('GET', '/healthz/ready')).status === 200;
  }

  /** Over TLS, as machines log in. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer> {
    const { tls, ca } = this.options;
    return call({ address: `https://127.0.0.1:${tls}`, ca }, method, path, options);
  }

  /** On a kept connection. */
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
