import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { installed } from '../support/installation.ts';

/**
 * A Vault server on loopback, in memory, with the JWT and cert methods and the transit engine. Tests use its HTTP API
 * only.
 */
export class Vault {
  readonly #process: ChildProcess;
  /** `http://127.0.0.1:40123` */
  readonly address: string;
  /** With TLS, where it has a certificate: `https://127.0.0.1:40124` */
  readonly secure: string;
  readonly #token: string;

  private constructor(child: ChildProcess, { address, secure, token }: Record<'address' | 'secure' | 'token', string>) {
    this.#process = child;
    this.address = address;
    this.secure = secure;
    this.#token = token;
  }

  static async start(certificate?: { readonly pem: string; readonly keyPem: string }): Promise<Vault> {
    const env = certificate && { CERTIFICATE: certificate.pem, PRIVATE_KEY: certificate.keyPem };
    const child = spawn(join(installed.vault, 'vault'), { stdio: ['pipe', 'pipe', 'inherit'], env: env ?? {} });
    const [line] = await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line');
    return new Vault(child, JSON.parse(line));
  }

  /** Root token. */
  get authorization(): { readonly 'x-vault-token': string } {
    return { 'x-vault-token': this.#token };
  }

  /**
   * Sends a request with the root token.
   * @throws Error for a refused request
   */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  async write(path: string, body: object): Promise<any> {
    const { status, answer } = await this.ask(path, body, this.#token);
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
    return answer;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  async ask(path: string, body: object, token = ''): Promise<{ status: number; answer: any }> {
    const headers = { 'x-vault-token': token };
    const response = await fetch(`${this.address}/v1/${path}`, { method: 'PUT', headers, body: JSON.stringify(body) });
    const text = await response.text();
    return { status: response.status, answer: text === '' ? undefined : JSON.parse(text) };
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'close');
    this.#process.stdin?.end();
    await ended;
  }
}
