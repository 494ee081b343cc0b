import { Connection } from '../connection/connection.ts';
import { MigrationError, Refused } from '../model/errors.ts';
import type { StatePattern } from './pattern.ts';
import type { FoundState, StatePlace } from './state-place.ts';

export interface HttpAccess {
  /** Values of the placeholder, because such a server has no list. */
  readonly names: readonly string[];
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly ca?: string | undefined;
}

/** States of the `http` backend. */
export class HttpPlace implements StatePlace {
  readonly name: string;
  readonly #address: URL;
  readonly #pattern: StatePattern;
  readonly #names: readonly string[];
  readonly #connection: Connection;

  /** @param address URL of the server; the pattern is a path below it */
  constructor(address: string, { names, username, password = '', ca }: HttpAccess, pattern: StatePattern) {
    const url = URL.parse(address.endsWith('/') ? address : `${address}/`);
    if (url === null) throw new MigrationError('invalid', `${address} is not a URL`);
    if (pattern.placeholders.length !== 1 || names.length === 0) {
      throw new MigrationError('invalid', 'a server without a list needs --names, and a pattern with one placeholder');
    }
    this.name = url.origin + url.pathname;
    this.#address = url;
    this.#pattern = pattern;
    this.#names = names;
    const headers = username === undefined ? {} : { authorization: basicAuthorization(username, password) };
    this.#connection = new Connection({ address: url.origin, ca, headers });
  }

  async list(): Promise<readonly FoundState[]> {
    const [placeholder = ''] = this.#pattern.placeholders;
    return this.#names.map((name) => {
      const path = this.#pattern.fill({ [placeholder]: name });
      return { path, state: { serial: undefined, size: undefined, open: () => this.#open(placeholder, name) } };
    });
  }

  async #open(placeholder: string, name: string): Promise<AsyncIterable<Uint8Array>> {
    const path = this.#pattern.fill({ [placeholder]: encodeURIComponent(name) });
    return this.#connection.download(new URL(path, this.#address).href).catch((error: unknown) => {
      if (error instanceof Refused) throw new Refused(error.status, `${error.message}: ${path}`);
      throw error;
    });
  }

  async close(): Promise<void> {}
}

const basicAuthorization = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
