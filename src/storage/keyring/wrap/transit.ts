import { readFile } from 'node:fs/promises';
import { type KeyWrapper, keyOf, passing, WrapFailure } from './key-wrapper.ts';
import { readSecret } from './secret-place.ts';
import type { TransitSettings } from './settings.ts';
import { askTransit } from './transit-request.ts';

type Tls = Readonly<Record<'ca' | 'cert' | 'key', string>>;

/** Wraps with the secrets engine `transit` of Vault or OpenBao over HTTP. The key never leaves the engine. */
export function transitWrapper(settings: TransitSettings): KeyWrapper {
  const transit = new Transit(settings);
  const { mount, key, address } = settings;
  return {
    name: `${mount}/${key} at ${address}`,
    wrap: async (dataKey, context, signal) => {
      const plaintext = Buffer.from(dataKey).toString('base64');
      const { ciphertext } = await transit.asked('encrypt', { plaintext, context: base64(context) }, signal);
      if (typeof ciphertext === 'string' && /^[ -~]{1,16384}$/.test(ciphertext)) return ciphertext;
      throw new WrapFailure('the response has no ciphertext: check the URL');
    },
    unwrap: async (ciphertext, context, signal) => {
      const { plaintext } = await transit.asked('decrypt', { ciphertext, context: base64(context) }, signal);
      return keyOf(plaintext);
    },
  };
}

const TOKEN = /^[!-~]{1,4096}$/;

/** Checks the token, because it becomes a header. */
function toToken(text: string): string {
  if (TOKEN.test(text)) return text;
  throw new WrapFailure('the configured token is invalid: it must be one line without spaces');
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

class Transit {
  readonly #settings: TransitSettings;

  constructor(settings: TransitSettings) {
    this.#settings = settings;
  }

  /** @returns the `data` of the response */
  async asked(
    operation: 'encrypt' | 'decrypt',
    body: object,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { mount, key } = this.#settings;
    const tls = await this.#tls();
    const token = await this.#token(tls, signal);
    try {
      const answer = await this.#ask(`${mount}/${operation}/${encodeURIComponent(key)}`, body, { tls, token }, signal);
      if (answer.status === 200) return recordOf(answer.body.data);
      throw refusalOf(answer, `update on ${mount}/${operation}/${key}`, this.#settings);
    } finally {
      if (this.#logsIn) await this.#ask('auth/token/revoke-self', {}, { tls, token }, signal).catch(() => {});
    }
  }

  get #logsIn(): boolean {
    const { login } = this.#settings;
    return login !== undefined && 'certificateFile' in login;
  }

  async #token(tls: Partial<Tls>, signal: AbortSignal): Promise<string | undefined> {
    const { login } = this.#settings;
    if (login === undefined) return undefined;
    if ('token' in login) return toToken(await readSecret(login.token, 'the token'));
    const body = login.role === undefined ? {} : { name: login.role };
    const answer = await this.#ask(`auth/${login.mount}/login`, body, { tls }, signal);
    const token = recordOf(answer.body.auth).client_token;
    if (answer.status === 200 && typeof token === 'string' && TOKEN.test(token)) return token;
    if (answer.status === 400 || answer.status === 403)
      throw new WrapFailure(
        `the transit server refuses the client certificate at auth/${login.mount} (status ${answer.status})`,
      );
    throw refusalOf(answer, `a login at auth/${login.mount}`, this.#settings);
  }

  #ask(
    path: string,
    body: object,
    { tls, token }: { tls: Partial<Tls>; token?: string | undefined },
    signal: AbortSignal,
  ) {
    const { address, namespace } = this.#settings;
    const headers = {
      // Vault agents and proxies may require this header.
      'x-vault-request': 'true',
      ...(namespace !== undefined && { 'x-vault-namespace': namespace }),
      ...(token !== undefined && { 'x-vault-token': token }),
    };
    return askTransit({ url: new URL(`/v1/${path}`, address), headers, body, tls }, signal);
  }

  async #tls(): Promise<Partial<Tls>> {
    const { authoritiesFile, login } = this.#settings;
    const certificate = login !== undefined && 'certificateFile' in login ? login : undefined;
    return {
      ...(authoritiesFile !== undefined && { ca: await readPem(authoritiesFile) }),
      ...(certificate && {
        cert: await readPem(certificate.certificateFile),
        key: await readPem(certificate.privateKeyFile),
      }),
    };
  }
}

function readPem(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new WrapFailure(`${file} cannot be read: ${error.code}`);
  });
}

/**
 * Returns the error for a status. The response's own text is only classified and never quoted, because it might repeat
 * the request.
 */
function refusalOf(
  { status, body }: { readonly status: number; readonly body: Readonly<Record<string, unknown>> },
  needed: string,
  { mount, key }: TransitSettings,
): WrapFailure {
  const said = JSON.stringify(body.errors ?? '');
  if (status === 403) return new WrapFailure(`permission denied: the token has expired, or its policy lacks ${needed}`);
  if (status === 404) return new WrapFailure(`there is no transit engine at ${mount}, or no namespace of that name`);
  if (status === 400 && /key not found/.test(said)) return new WrapFailure(`there is no key ${key}`);
  if (status === 400)
    return new WrapFailure(
      'the content of the file cannot be decrypted: another key has wrapped it, or it was changed',
    );
  if (status === 503) return passing('the transit server is sealed, or cannot answer (status 503)');
  if (status >= 500 || status === 429 || status === 412)
    return passing(`the transit server cannot answer (status ${status})`);
  if (status >= 300 && status < 400)
    return passing(`the transit server redirects (status ${status}): use the URL of the active node`);
  return new WrapFailure(`unexpected response for a transit engine (status ${status}): check the URL`);
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
