import { FetchError } from '../../outbound/fetch-error.ts';
import type { FetchResponse, GuardedFetch } from '../../outbound/guarded-fetch.ts';
import { MAX_CRL_BYTES } from '../../x509/index.ts';

/**
 * For all of a list. Milliseconds.
 * @limit a list on its way, ms -> the fetch counts as failed
 */
const TIMEOUT = 60_000;
/** @limit redirects on the way to a list, redirects -> the fetch counts as failed */
const MAX_REDIRECTS = 3;
/**
 * Longer ones are not kept: a server that sends them gets no conditional requests.
 * @limit an ETag that is kept, characters -> the list is fetched whole each time
 */
const MAX_VALIDATOR_LENGTH = 256;

/** What a server said of the version that it sent, to be asked for newer ones alone (RFC 9110 §8.8). */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export const NO_VALIDATORS: Validators = { etag: null, lastModified: null };

/** A list on its way. */
export interface FetchedList {
  /** DER or PEM. Throws a `FetchError`. */
  readonly body: AsyncIterable<Uint8Array>;
  readonly validators: Validators;
}

/**
 * Asks a distribution point for a list; undefined when it says that it has none but the one that the validators name.
 * @throws FetchError
 */
export async function fetchList(
  fetch: GuardedFetch,
  url: string,
  known: Validators,
  signal?: AbortSignal,
): Promise<FetchedList | undefined> {
  const response = await fetch(url, {
    headers: { accept: 'application/pkix-crl, application/x-pem-file;q=0.9, */*;q=0.1', ...conditions(known) },
    timeoutMs: TIMEOUT,
    maxBytes: MAX_CRL_BYTES,
    maxRedirects: MAX_REDIRECTS,
    ...(signal && { signal }),
  });
  if (response.status === 200) return { body: response.body, validators: validatorsOf(response) };
  response.discard();
  if (response.status === 304) return undefined;
  throw new FetchError('status', `status ${response.status}`, { status: response.status });
}

function conditions({ etag, lastModified }: Validators): Record<string, string> {
  return {
    ...(etag !== null && { 'if-none-match': etag }),
    ...(lastModified !== null && { 'if-modified-since': lastModified }),
  };
}

function validatorsOf({ headers }: FetchResponse): Validators {
  return { etag: kept(headers.etag), lastModified: kept(headers['last-modified']) };
}

/** As it goes into a header again: printable ASCII. */
function kept(validator: string | undefined): string | null {
  return validator && validator.length <= MAX_VALIDATOR_LENGTH && /^[\x20-\x7e]+$/.test(validator) ? validator : null;
}
