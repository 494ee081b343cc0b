import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { passing } from './key-wrapper.ts';

/**
 * A wrapped key has some hundred bytes.
 * @limit a response of the transit engine that wraps the keyring, bytes -> the connection is closed, and the request is
 * retried
 */
const MAX_ANSWER = 65_536;

export interface TransitQuestion {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
}

/** @throws WrapFailure if there is no response */
export function askTransit(
  { url, headers, body, tls }: TransitQuestion,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }> {
  const text = JSON.stringify(body);
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: Record<string, unknown> }>();
  const options = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
    signal,
    agent: false,
  };
  const outgoing = url.protocol === 'https:' ? overHttps(url, { ...options, ...tls }) : overHttp(url, options);
  outgoing.on('error', (error: NodeJS.ErrnoException) =>
    reject(passing(`the transit server cannot be reached: ${codeOf(error)}`)),
  );
  outgoing.on('response', (answer) => {
    const parts: Buffer[] = [];
    let length = 0;
    answer.on('error', () => reject(passing('the connection closed before the end of the response')));
    answer.on('data', (part: Buffer) => {
      length += part.length;
      if (length > MAX_ANSWER) {
        reject(passing(`the response is longer than ${MAX_ANSWER} bytes: check the URL`));
        outgoing.destroy();
      } else parts.push(part);
    });
    answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: objectIn(Buffer.concat(parts)) }));
  });
  outgoing.end(text);
  return promise;
}

/** Returns a code such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`; the message of an error may quote the request. */
function codeOf({ code, name }: NodeJS.ErrnoException): string {
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
