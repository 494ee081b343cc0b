import type { Answer } from '../http.ts';
import type { TestServer } from '../server.ts';

/** A browser with cookies that sends requests as pages of the console do, under the name `localhost`. */
export class ConsolePages {
  readonly #server: TestServer;
  readonly #jar = new Map<string, string>();
  readonly origin: string;

  constructor(server: TestServer, host = `localhost:${new URL(server.address).port}`) {
    this.#server = server;
    this.origin = `https://${host}`;
  }

  /** Value of a cookie. */
  cookie(name: string): string | undefined {
    return this.#jar.get(name);
  }

  setCookie(name: string, value: string): void {
    this.#jar.set(name, value);
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const cookie = [...this.#jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await this.#server.call(method, path, {
      headers: {
        ...{ host: new URL(this.origin).host, 'sec-fetch-site': 'same-origin', 'x-lockkeeper-console': '1' },
        ...(cookie !== '' && { cookie }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    for (const line of answer.headers['set-cookie'] ?? []) this.#keep(line);
    return answer;
  }

  post(path: string, body: unknown = {}): Promise<Answer> {
    return this.send('POST', `/app/~session${path}`, body);
  }

  #keep(line: string): void {
    const [pair = ''] = line.split(';');
    const at = pair.indexOf('=');
    if (/Max-Age=0(;|$)/.test(line)) this.#jar.delete(pair.slice(0, at));
    else this.#jar.set(pair.slice(0, at), pair.slice(at + 1));
  }
}
