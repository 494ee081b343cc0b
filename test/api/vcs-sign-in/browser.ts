import { expect } from 'vitest';
import { call } from '../../support/http.ts';
import type { TestServer } from '../../support/server.ts';

const OWN = { 'x-lockkeeper-console': '1', 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
const FORM = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };

/** A browser with a session of the console. */
export class Browser {
  readonly #server: TestServer;
  readonly #cookie: string;

  private constructor(server: TestServer, cookie: string) {
    this.#server = server;
    this.#cookie = cookie;
  }

  /** @param token of a user; undefined: a browser without a session */
  static async open(server: TestServer, token?: string): Promise<Browser> {
    if (token === undefined) return new Browser(server, '');
    const answer = await server.call('POST', '/app/~session', { headers: OWN, body: { token } });
    expect(answer.status, answer.text).toBe(201);
    return new Browser(server, answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '');
  }

  /** Opens a page by a link of the server's own. */
  get(path: string) {
    return this.#server.call('GET', path, { headers: { cookie: this.#cookie, 'sec-fetch-site': 'same-origin' } });
  }

  post(path: string, form: Record<string, string>, headers: Record<string, string> = {}) {
    return this.#server.call('POST', path, {
      headers: { cookie: this.#cookie, ...FORM, ...headers },
      body: new URLSearchParams(form).toString(),
    });
  }

  /** Comes back from another site: without the strict cookie, then by the refresh of the page. */
  async comeBack(location: string) {
    const { pathname, search } = new URL(location);
    const first = await this.#server.call('GET', pathname + search, { headers: { 'sec-fetch-site': 'cross-site' } });
    return this.get(refreshIn(first.text));
  }
}

/** Returns the URL to which a page leads by a refresh. */
export function refreshIn(page: string): string {
  const [, address = ''] = /content="0; url=([^"]*)"/.exec(page) ?? [];
  return address.replaceAll('&amp;', '&');
}

/** Returns the action and the hidden fields of the form of a page. */
export function formIn(page: string): { readonly action: string; readonly fields: Record<string, string> } {
  const unescaped = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
  const fields = [...page.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return {
    action: unescaped(/action="([^"]*)"/.exec(page)?.[1] ?? ''),
    fields: Object.fromEntries(fields.map(([, name = '', value = '']) => [name, unescaped(value)])),
  };
}

/** Sends a request to a provider, as the browser does, and returns where it leads. */
export async function atProvider(url: string, form?: Record<string, string>): Promise<string> {
  const { origin, pathname, search } = new URL(url);
  const answer = await call(
    { address: origin },
    form === undefined ? 'GET' : 'POST',
    pathname + search,
    form && { headers: { 'content-type': FORM['content-type'] }, body: new URLSearchParams(form).toString() },
  );
  expect(answer.status, answer.text).toBe(302);
  return answer.headers.location ?? '';
}
