import type { RequestOptions } from 'node:https';
import { parseExactJson } from '../../lib/exact-json/exact-json.ts';
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
  /** Parsed JSON of the response, with numbers as the server wrote them. Undefined without a body. */
  readonly body: unknown;
}

export type Client = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** Maximum time without data from the server, milliseconds. */
const TIMEOUT = 60_000;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * HTTP client for both APIs, with a bearer token and JSON or a form as body. It follows no redirects, because they
 * could leak the token.
 */
export function createClient({ address, ca, token, certificate }: ClientOptions): Client {
  const base = baseOf(address);
  const options = {
    timeout: TIMEOUT,
    ...(ca !== undefined && { ca }),
    ...certificate,
  };
  return (method, path, body) => {
    const isForm = body instanceof URLSearchParams;
    const text = body === undefined ? undefined : isForm ? body.toString() : JSON.stringify(body);
    const headers = {
      accept: 'application/json, application/vnd.api+json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(text !== undefined && {
        'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/vnd.api+json',
        'content-length': Buffer.byteLength(text),
      }),
    };
    return send(new URL(path, base), { ...options, method, headers }, text);
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

async function send(url: URL, options: RequestOptions, text: string | undefined): Promise<Answer> {
  // Loaded on demand: with a cached token neither module is needed.
  const { request } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'));
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(connectionError(error, url.origin));
    const outgoing = request(url, options, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', fail);
      incoming.on('end', () => {
        const status = incoming.statusCode ?? 0;
        try {
          resolve({ status, body: parse(Buffer.concat(chunks).toString()) });
        } catch {
          reject(
            new CommandError(
              `${url.origin} answered ${status}, but not with JSON. Is it the URL of a Lockkeeper server?`,
              EXIT.unavailable,
            ),
          );
        }
      });
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no response within ${TIMEOUT / 1000} seconds`)));
    outgoing.on('error', fail);
    outgoing.end(text);
  });
}

function parse(text: string): unknown {
  return text === '' ? undefined : parseExactJson(text);
}
