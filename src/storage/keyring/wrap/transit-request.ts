import { FetchError } from '../../../lib/http/fetch-error.ts';
import { HttpClient } from '../../../lib/http/http-client.ts';
import { passing, type WrapFailure } from './key-wrapper.ts';

/**
 * A wrapped key has some hundred bytes.
 * @limit a response of the transit engine that wraps the keyring, bytes -> the connection is closed, and the request is
 * retried
 */
const MAX_ANSWER = 65_536;
/** Usually the signal of the attempt ends it earlier. */
const TIMEOUT_MS = 60_000;

export interface TransitQuestion {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
}

const client = new HttpClient({ connections: 'new' });

/** @throws WrapFailure if there is no response */
export async function askTransit(
  { url, headers, body, tls }: TransitQuestion,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }> {
  const request = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    limits: { timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER },
    ...{ tls, signal },
  } as const;
  const response = await client.send(url, request).catch((error) => {
    throw failureOf(error, `the transit server cannot be reached: ${codeOf(error)}`);
  });
  const bytes = await response.bytes().catch((error) => {
    throw failureOf(error, 'the connection closed before the end of the response');
  });
  return { status: response.status, body: objectIn(bytes) };
}

function failureOf(error: unknown, otherwise: string): WrapFailure {
  const isTooLarge = error instanceof FetchError && error.kind === 'too-large';
  return passing(isTooLarge ? `the response is longer than ${MAX_ANSWER} bytes: check the URL` : otherwise);
}

/** Returns a code such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`; the message of an error may quote the request. */
function codeOf({ code, name }: FetchError): string {
  return /^\w{1,60}$/.test(code ?? '') ? (code ?? '') : name;
}

/** Returns an empty object for any other content. */
function objectIn(bytes: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
