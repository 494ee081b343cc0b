import type { IncomingHttpHeaders } from 'node:http';
import { call } from '../../support/http.ts';

/** The page that the user sees. */
export interface Sight {
  readonly address: string;
  readonly status: number;
  readonly text: string;
}

interface Cookie {
  readonly value: string;
  readonly isStrict: boolean;
}

type Form = Readonly<Record<string, string>>;

/**
 * A browser without scripts: it handles cookies of each host, redirects, and the headers that name the initiator of a
 * request. It trusts the given CAs.
 */
export class Browsing {
  readonly #ca: string;
  /** URLs that the browser returns instead of opening them. */
  readonly #leaves: (address: string) => boolean;
  readonly #cookies = new Map<string, Map<string, Cookie>>();
  #at: Sight = { address: '', status: 0, text: '' };

  constructor(ca: string, leaves: (address: string) => boolean) {
    this.#ca = ca;
    this.#leaves = leaves;
  }

  get at(): Sight {
    return this.#at;
  }

  /** Opens a URL as if the user typed it. */
  open(address: string): Promise<Sight> {
    this.#at = { address: '', status: 0, text: '' };
    return this.#go('GET', address);
  }

  /**
   * Follows a link or a refresh of this page.
   * @param place matches the URL as it is written in the page
   */
  follow(place: RegExp): Promise<Sight> {
    const found = [...this.#at.text.matchAll(/(?:href|url)="?([^">]+)"/g)].map(([, address = '']) => plain(address));
    const address = found.find((one) => place.test(one));
    if (address === undefined) throw new Error(`no link like ${place} on ${this.#at.address}: ${this.#at.text}`);
    return this.#go('GET', new URL(address, this.#at.address).href);
  }

  /**
   * Submits the form of this page.
   * @param fields values in addition to the hidden fields
   */
  send(fields: Form): Promise<Sight> {
    const { address, text } = this.#at;
    const action = /<form[^>]* action="([^"]+)"/.exec(text)?.[1];
    if (action === undefined) throw new Error(`no form on ${address}: ${text}`);
    const hidden = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    const given = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, plain(value)]));
    return this.#go('POST', new URL(plain(action), address).href, { ...given, ...fields });
  }

  async #go(method: 'GET' | 'POST', address: string, form?: Form): Promise<Sight> {
    const began = this.#at.address === '' ? undefined : new URL(this.#at.address).origin;
    let [next, verb, isOwn] = [address, method, true];
    for (let hops = 0; hops < 20; hops++) {
      const { origin, pathname, search, host } = new URL(next);
      if (this.#leaves(next)) return { address: next, status: 0, text: '' };
      isOwn &&= began === undefined || origin === began;
      const site = began === undefined ? 'none' : isOwn ? 'same-origin' : 'cross-site';
      const headers = {
        'sec-fetch-site': site,
        cookie: this.#cookiesFor(host, site !== 'cross-site'),
        ...(verb === 'POST' && { 'content-type': 'application/x-www-form-urlencoded', origin: began }),
      };
      const body = verb === 'POST' ? new URLSearchParams(form).toString() : undefined;
      const answer = await call({ address: origin, ca: this.#ca }, verb, pathname + search, { headers, body });
      this.#keep(host, answer.headers);
      if (answer.headers.location === undefined) {
        this.#at = { address: next, status: answer.status, text: answer.text };
        return this.#at;
      }
      next = new URL(answer.headers.location, next).href;
      if (answer.status !== 307) verb = 'GET';
    }
    throw new Error(`${address} leads on and on`);
  }

  #cookiesFor(host: string, isOwn: boolean): string {
    const kept = [...(this.#cookies.get(host) ?? [])].filter(([, { isStrict }]) => isOwn || !isStrict);
    return kept.map(([name, { value }]) => `${name}=${value}`).join('; ');
  }

  #keep(host: string, headers: IncomingHttpHeaders): void {
    const kept = this.#cookies.get(host) ?? new Map<string, Cookie>();
    this.#cookies.set(host, kept);
    for (const line of headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') kept.delete(name);
      else kept.set(name, { value, isStrict: /samesite=strict/i.test(line) });
    }
  }
}

const plain = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
