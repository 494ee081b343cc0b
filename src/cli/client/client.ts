import { parseExactJson } from '../../lib/exact-json/exact-json.ts';
import type { HttpRequest, TlsSettings } from '../../lib/http/http-request.ts';
import { version } from '../../version.ts';
import { CommandError, usageError } from '../errors/command-error.ts';
import { EXIT } from '../errors/exit-codes.ts';
import { connectionError } from './connection-error.ts';

/** Connection settings of a Lockkeeper server. */
export interface ClientOptions {
  /** URL such as `https://127.0.0.1:8200`. Plain HTTP is allowed only on loopback. */
  readonly address: string;
  /** CA certificates (PEM) that verify the server. Default: the CAs that Node.js trusts. */
  readonly ca?: string | undefined;
  readonly token?: string | undefined;
  /** Client certificate for the handshake: PEM, the leaf first. */
  readonly certificate?: { readonly cert: string; readonly key: string } | undefined;
}

export interface Answer {
  readonly status: number;
  /** Parsed JSON of the response, with numbers as the server wrote them; the text of a CSV file. Undefined without a body. */
  readonly body: unknown;
}

export type Client = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** @limit time without data from the server in a command, ms -> the command fails */
const LONGEST_SILENCE = 60_000;
/** @limit exchange of a request and its response in a command, ms -> the command fails */
const LONGEST_EXCHANGE = 600_000;
/** @limit response of the server to a command, bytes -> the command fails */
const MAX_ANSWER = 268_435_456;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * HTTP client for both APIs, with a bearer token and JSON or a form as body. It follows no redirects, because they
 * could leak the token.
 */
export function createClient({ address, ca, token, certificate }: ClientOptions): Client {
  const base = baseOf(address);
  const tls = { ...(ca !== undefined && { ca }), ...certificate };
  return (method, path, body) => {
    const isForm = body instanceof URLSearchParams;
    const text = body === undefined ? undefined : isForm ? body.toString() : JSON.stringify(body);
    const headers = {
      accept: 'application/json, application/vnd.api+json',
      'user-agent': `lockkeeper/${version}`,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(text !== undefined && {
        'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/vnd.api+json',
      }),
    };
    return send(new URL(path, base), tls, { method, headers, ...(text !== undefined && { body: text }) });
  };
}

/** @throws CommandError for an invalid URL, or one that would send secrets over plain HTTP */
function baseOf(address: string): URL {
  const url = URL.parse(address);
  if (url === null || !['https:', 'http:'].includes(url.protocol) || url.username !== '') {
    throw usageError(`the address ${address} is not a URL; expected https://HOST or https://HOST:PORT`);
  }
  if (url.protocol === 'http:' && !LOOPBACK.has(url.hostname)) {
    throw usageError(
      `the address ${address} has no TLS, and secrets would cross the network unencrypted; use https://`,
    );
  }
  return url;
}

async function send(url: URL, tls: TlsSettings, request: Omit<HttpRequest, 'limits'>): Promise<Answer> {
  // Loaded on demand: with a cached token the modules of Node.js are not needed.
  const { HttpClient } = await import('../../lib/http/http-client.ts');
  const client = new HttpClient({ connections: 'process', tls });
  const limits = { idleMs: LONGEST_SILENCE, timeoutMs: LONGEST_EXCHANGE, maxBytes: MAX_ANSWER };
  const fail = (error: unknown) => {
    throw connectionError(error, url.origin, LONGEST_SILENCE);
  };
  const response = await client.send(url, { ...request, limits }).catch(fail);
  const text = (await response.bytes().catch(fail)).toString();
  if (`${response.headers['content-type'] ?? ''}`.startsWith('text/csv'))
    return { status: response.status, body: text };
  try {
    return { status: response.status, body: parse(text) };
  } catch {
    throw new CommandError(
      `${url.origin} answered ${response.status}, but not with JSON. Is it the URL of a Lockkeeper server?`,
      EXIT.unavailable,
    );
  }
}

function parse(text: string): unknown {
  return text === '' ? undefined : parseExactJson(text);
}
