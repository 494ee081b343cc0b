import { type JsonLimits, parseJson } from '../../lib/json.ts';
import { FetchError } from '../../outbound/fetch-error.ts';
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts';
import { keysFromSet, type VerificationKey } from './key-set.ts';

/** Where an issuer's keys are. */
export interface KeyPlace {
  /** `discovery`: the address of the issuer, below which its document says where the keys are (OpenID Connect Discovery §4). */
  readonly type: 'jwks' | 'discovery';
  readonly url: string;
  /** PEM of authorities that vouch for the server, beside those of the system. Empty: those alone. */
  readonly authorities: string;
}

export interface FetchedKeys {
  readonly keys: readonly VerificationKey[];
  /** What the document calls itself; undefined where there is none. */
  readonly issuer: string | undefined;
}

/** What an issuer says of itself (OpenID Connect Discovery §3): any JSON object. */
export type IssuerDocument = Readonly<Record<string, unknown>>;

/** Why there are no keys, in words that hold nothing of what was answered. Its cause is a `FetchError` where nothing was. */
export class KeysError extends Error {
  override readonly name = 'KeysError';
}

const TIMEOUT_MS = 5_000;
/** @limit the keys of an issuer, or its document, bytes -> they are not taken */
const MAX_BYTES = 262_144;
/** @limit redirects on the way to the keys of an issuer, redirects -> they are not fetched */
const MAX_REDIRECTS = 3;
const LIMITS: JsonLimits = {
  /** @limit objects and arrays inside one another in the keys of an issuer, levels -> they are not taken */
  depth: 10,
  /** @limit values in the keys of an issuer, values -> they are not taken */
  values: 5_000,
};
const HTTP_OK = 200;
/** Characters of the name of an issuer in a message. */
const SHOWN = 300;
const DOCUMENT = '/.well-known/openid-configuration';

/** @throws KeysError and nothing else */
export async function fetchKeys(fetch: GuardedFetch, place: KeyPlace, signal: AbortSignal): Promise<FetchedKeys> {
  const url = place.type === 'jwks' ? place.url : keysAddress(await fetchDocument(fetch, place, signal), place.url);
  const keys = keysFromSet(await fetchObject(fetch, url, place.authorities, signal));
  if (keys === undefined) throw new KeysError('what is there is no set of keys');
  if (keys.length === 0) throw new KeysError('no key there can verify a signature');
  return { keys, issuer: place.type === 'jwks' ? undefined : place.url };
}

/** What an issuer says of itself, unchecked. @throws KeysError and nothing else */
export function fetchDocument(
  fetch: GuardedFetch,
  { url, authorities }: KeyPlace,
  signal: AbortSignal,
): Promise<IssuerDocument> {
  return fetchObject(fetch, url.replace(/\/$/, '') + DOCUMENT, authorities, signal);
}

/** The document must call the issuer what it was asked for (§4.3): else anybody's document could stand there. @throws KeysError */
export function keysAddress({ issuer: called, jwks_uri: url }: IssuerDocument, issuer: string): string {
  if (called !== issuer) {
    const named = typeof called === 'string' ? `"${called.slice(0, SHOWN)}"` : 'no text';
    throw new KeysError(
      `the document is that of another issuer: it says ${named}, and "${issuer.slice(0, SHOWN)}" was asked for (a slash at the end counts)`,
    );
  }
  if (typeof url !== 'string') throw new KeysError('the document does not say where the keys are');
  if (issuer.startsWith('https:') && !url.startsWith('https:'))
    throw new KeysError('the keys are not at an https address');
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
    throw new KeysError('what is there is no JSON');
  }
  if (typeof value !== 'object' || value === null) throw new KeysError('what is there is no object');
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
  denied: 'an address that is not connected to',
  timeout: `not there within ${TIMEOUT_MS} ms`,
  aborted: 'given up',
  network: 'the connection failed',
  status: 'another status',
  redirect: 'too many redirects',
  'too-large': `more than ${MAX_BYTES} bytes`,
  encoding: 'content in an encoding that is not read',
};
