import { FetchError } from '../../lib/http/fetch-error.ts';
import { type JsonLimits, parseJson } from '../../lib/json.ts';
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts';
import { keysFromSet, type VerificationKey } from './key-set.ts';

/** The URL of an issuer's keys. */
export interface KeyPlace {
  /**
   * `discovery`: `url` is the issuer, and its discovery document contains the URL of the keys (OpenID Connect Discovery
   * §4).
   */
  readonly type: 'jwks' | 'discovery';
  readonly url: string;
  /**
   * CA certificates (PEM) that verify the issuer's server, in addition to those of the system. Empty: only those of
   * the system.
   */
  readonly authorities: string;
}

export interface FetchedKeys {
  readonly keys: readonly VerificationKey[];
  /** The issuer that the discovery document names. Undefined for `jwks`. */
  readonly issuer: string | undefined;
}

/** The discovery document of an issuer (OpenID Connect Discovery §3): any JSON object. */
export type IssuerDocument = Readonly<Record<string, unknown>>;

/**
 * Says why no keys could be loaded. The message contains nothing of the response. Its cause is a `FetchError` if the
 * fetch failed.
 */
export class KeysError extends Error {
  override readonly name = 'KeysError';
}

const TIMEOUT_MS = 5_000;
/** @limit the keys of an issuer, or its discovery document, bytes -> they are rejected */
const MAX_BYTES = 262_144;
/** @limit redirects to the keys of an issuer, redirects -> the fetch fails */
const MAX_REDIRECTS = 3;
const LIMITS: JsonLimits = {
  /** @limit nested objects and arrays in the keys of an issuer, levels -> the keys are rejected */
  depth: 10,
  /** @limit values in the keys of an issuer, values -> the keys are rejected */
  values: 5_000,
};
const HTTP_OK = 200;
/** Maximum number of characters of an issuer's name in a message. */
const SHOWN = 300;
const DOCUMENT = '/.well-known/openid-configuration';

/**
 * Fetches the keys of an issuer.
 * @throws KeysError and nothing else
 */
export async function fetchKeys(fetch: GuardedFetch, place: KeyPlace, signal: AbortSignal): Promise<FetchedKeys> {
  const url = place.type === 'jwks' ? place.url : keysAddress(await fetchDocument(fetch, place, signal), place.url);
  const keys = keysFromSet(await fetchObject(fetch, url, place.authorities, signal));
  if (keys === undefined) throw new KeysError('the answer is not a JSON Web Key Set');
  if (keys.length === 0) throw new KeysError('the key set has no key that can verify a signature');
  return { keys, issuer: place.type === 'jwks' ? undefined : place.url };
}

/**
 * Fetches the discovery document of an issuer, without validation.
 * @throws KeysError and nothing else
 */
export function fetchDocument(
  fetch: GuardedFetch,
  { url, authorities }: KeyPlace,
  signal: AbortSignal,
): Promise<IssuerDocument> {
  return fetchObject(fetch, url.replace(/\/$/, '') + DOCUMENT, authorities, signal);
}

/**
 * Returns the URL of the keys. The document must name the expected issuer (§4.3); otherwise another party's document
 * could replace it.
 * @throws KeysError
 */
export function keysAddress({ issuer: called, jwks_uri: url }: IssuerDocument, issuer: string): string {
  if (called !== issuer) {
    const named = typeof called === 'string' ? `"${called.slice(0, SHOWN)}"` : 'no string';
    throw new KeysError(
      `the discovery document names another issuer: ${named} instead of "${issuer.slice(0, SHOWN)}" (a ` +
        'trailing slash counts)',
    );
  }
  if (typeof url !== 'string')
    throw new KeysError('the discovery document does not name the URL of the keys (jwks_uri)');
  if (issuer.startsWith('https:') && !url.startsWith('https:'))
    throw new KeysError('the URL of the keys does not use https');
  return url;
}

async function fetchObject(
  fetch: GuardedFetch,
  url: string,
  authorities: string,
  signal: AbortSignal,
): Promise<IssuerDocument> {
  const bytes = await fetchBytes(fetch, url, authorities, signal);
  let value: unknown;
  try {
    value = parseJson(bytes, LIMITS);
  } catch {
    throw new KeysError('the answer is not JSON');
  }
  if (typeof value !== 'object' || value === null) throw new KeysError('the answer is not a JSON object');
  return value as IssuerDocument;
}

async function fetchBytes(
  fetch: GuardedFetch,
  url: string,
  authorities: string,
  signal: AbortSignal,
): Promise<Uint8Array> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      maxRedirects: MAX_REDIRECTS,
      signal,
      ...(authorities !== '' && { authorities: [authorities] }),
    });
    if (response.status === HTTP_OK) return await response.bytes();
    response.discard();
    throw new KeysError(`status ${response.status}`);
  } catch (error) {
    if (error instanceof FetchError) throw new KeysError(WHY[error.kind], { cause: error });
    throw error instanceof KeysError ? error : new KeysError('the connection failed');
  }
}

const WHY: Readonly<Record<FetchError['kind'], string>> = {
  denied: 'connections to this address are not allowed',
  timeout: `no answer within ${TIMEOUT_MS} ms`,
  aborted: 'canceled',
  network: 'the connection failed',
  status: 'unexpected status',
  redirect: 'too many redirects',
  'too-large': `the answer has more than ${MAX_BYTES} bytes`,
  encoding: 'unsupported content encoding',
};
