import type { RequestOptions } from 'node:https';
import { parseExactJson } from '../../lib/exact-json/exact-json.ts';
import { CommandError, usageError } from '../errors/command-error.ts';
import { EXIT } from '../errors/exit-codes.ts';
import { connectionError } from './connection-error.ts';

/** How to reach a server of ours. */
export interface ClientOptions {
  /** `https://127.0.0.1:8200`; without TLS only on this machine. */
  readonly address: string;
  /** PEM of the authority that the server is trusted by. Without it, those that Node.js trusts. */
  readonly ca?: string | undefined;
  readonly token?: string | undefined;
  /** What is presented in the handshake: PEM, the leaf first. */
  readonly certificate?: { readonly cert: string; readonly key: string } | undefined;
}

export interface Answer {
  readonly status: number;
  /** The JSON of the answer, with numbers as the server wrote them; undefined without a body. */
  readonly body: unknown;
}

export type Client = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** The longest silence of a server, milliseconds. */
const TIMEOUT = 60_000;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** A client of either API: both take the token as a bearer, and JSON; a form goes as one. It follows no redirect, which could lead the token away. */
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

/** @throws CommandError for what is no address, or would send secrets in the clear */
function baseOf(address: string): URL {
  const url = URL.parse(address);
  if (url === null || !['https:', 'http:'].includes(url.protocol) || url.username !== '') {
    throw usageError(`the address ${address} is none; expected https://HOST or https://HOST:PORT`);
  }
  if (url.protocol === 'http:' && !LOOPBACK.has(url.hostname)) {
    throw usageError(
      `the address ${address} has no TLS, and secrets would cross the network in the clear; use https://`,
    );
  }
  return url;
}

async function send(url: URL, options: RequestOptions, text: string | undefined): Promise<Answer> {
  // Loaded when needed: whoever has a cached token needs neither.
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
              `${url.origin} answered ${status}, and not in JSON: is it the address of a Lockkeeper server?`,
              EXIT.unavailable,
            ),
          );
        }
      });
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${TIMEOUT / 1000} seconds`)));
    outgoing.on('error', fail);
    outgoing.end(text);
  });
}

function parse(text: string): unknown {
  return text === '' ? undefined : parseExactJson(text);
}
