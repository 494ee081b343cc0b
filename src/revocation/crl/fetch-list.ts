import { FetchError } from '../../lib/http/fetch-error.ts';
import type { HttpResponse } from '../../lib/http/http-request.ts';
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts';
import { MAX_CRL_BYTES } from '../../x509/index.ts';

/**
 * Timeout of the whole fetch, milliseconds.
 * @limit duration of the fetch of a CRL, ms -> the fetch fails
 */
const TIMEOUT = 60_000;
/** @limit redirects during the fetch of a CRL, redirects -> the fetch fails */
const MAX_REDIRECTS = 3;
/**
 * Longer validators are ignored: their server gets no conditional requests.
 * @limit length of the ETag of a CRL, characters -> the whole CRL is fetched each time
 */
const MAX_VALIDATOR_LENGTH = 256;

/** Validators of a response, for conditional requests (RFC 9110 §8.8). */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export const NO_VALIDATORS: Validators = { etag: null, lastModified: null };

/** A CRL whose body is still to be read. */
export interface FetchedList {
  /** Fetches a CRL as DER or PEM. Throws a `FetchError`. */
  readonly body: AsyncIterable<Uint8Array>;
  readonly validators: Validators;
}

/**
 * Fetches a CRL from a distribution point. Returns undefined if the server has no newer one than that of the
 * validators.
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

function validatorsOf({ headers }: HttpResponse): Validators {
  return { etag: kept(headers.etag), lastModified: kept(headers['last-modified']) };
}

/** Returns a validator that can be sent in a header: printable ASCII, not too long. */
function kept(validator: string | undefined): string | null {
  return validator && validator.length <= MAX_VALIDATOR_LENGTH && /^[\x20-\x7e]+$/.test(validator) ? validator : null;
}
