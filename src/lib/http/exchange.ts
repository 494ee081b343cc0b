import { type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http';
import type { RequestOptions } from 'node:https';
import type { LookupFunction } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { Deadline } from './deadline.ts';
import { networkError } from './fetch-error.ts';
import type { Address, HttpRequest, TlsSettings, Upload } from './http-request.ts';

/** @limit head of a response to an outgoing request, and the trailers after its body, bytes -> the request fails */
const MAX_HEAD = 16_384;

/** Returns the module for TLS, which takes 10 ms to load: a command that talks to this machine does not need it. */
export const https = () => process.getBuiltinModule('node:https');

/** One request to one URL. */
export interface Outgoing extends HttpRequest {
  readonly agent: RequestOptions['agent'];
  readonly tls: TlsSettings;
  /** IP addresses to connect to, so that there is no second DNS query. Absent: the system resolves the name. */
  readonly addresses?: readonly Address[] | undefined;
}

/** Sends the request. Resolves with the head of the response, rejects with a `FetchError`. */
export function exchange(url: URL, outgoing: Outgoing, deadline: Deadline): Promise<IncomingMessage> {
  const { method = 'GET', headers, body, limits, agent, tls, addresses } = outgoing;
  const isSecure = url.protocol === 'https:';
  const options: RequestOptions = {
    ...{ method, agent, maxHeaderSize: MAX_HEAD },
    headers: { 'accept-encoding': 'identity', ...headers, ...lengthOf(body) },
    ...(limits.idleMs !== undefined && { timeout: limits.idleMs }),
    ...(addresses && { lookup: lookupOf(addresses) }),
  };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = isSecure ? https().request(url, { ...options, ...tls }) : requestPlain(url, options);
  deadline.stopWith((reason) => request.destroy(reason));
  let isAnswered = false;
  request.on('response', (incoming) => {
    isAnswered = true;
    resolve(incoming);
  });
  request.on('error', (error) => reject(networkError(error)));
  if (limits.idleMs !== undefined) boundHead(request, limits.idleMs, deadline, isSecure);
  const failed = send(request, body).then(
    () => undefined,
    (error: Error) => error,
  );
  // Neither a response that switches protocols (101) nor an upload whose source fails is an `error` of the request.
  request.on(
    'close',
    async () => isAnswered || reject(networkError((await failed) ?? new Error('it closed without a response'))),
  );
  return promise;
}

async function send(request: ClientRequest, body: HttpRequest['body']): Promise<void> {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) request.end(body);
  else await pipeline(announced(body), request);
}

/** Yields the bytes of an upload. More than announced would be read as the next request on this connection. */
async function* announced({ size, open }: Upload): AsyncGenerator<Uint8Array> {
  let left = size;
  for await (const chunk of open()) {
    left -= chunk.length;
    if (left < 0) break;
    yield chunk;
  }
  if (left !== 0) throw new Error(`the content does not have the announced ${size} bytes`);
}

function lengthOf(body: HttpRequest['body']): { 'content-length'?: string } {
  if (body === undefined) return {};
  if (typeof body === 'string') return { 'content-length': String(Buffer.byteLength(body)) };
  return { 'content-length': String(body instanceof Uint8Array ? body.length : body.size) };
}

/**
 * Ends the request after silence. The timer of the socket starts again with each byte, so the handshake and the head
 * each have a timer of their own: a server may send them byte by byte.
 */
function boundHead(request: ClientRequest, idleMs: number, deadline: Deadline, isSecure: boolean): void {
  const onLate = () => deadline.silent(idleMs);
  request.on('timeout', onLate);
  let timer: NodeJS.Timeout | undefined = setTimeout(onLate, idleMs);
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  request.once('socket', (socket) => {
    if (socket.connecting) socket.once(isSecure ? 'secureConnect' : 'connect', stop);
    else stop();
  });
  let isOver = false;
  request.once('finish', () => {
    stop();
    if (!isOver) timer = setTimeout(onLate, idleMs);
  });
  for (const end of ['response', 'close'])
    request.once(end, () => {
      isOver = true;
      stop();
    });
}

function lookupOf(addresses: readonly Address[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    const [first] = addresses as readonly [Address];
    if (all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}
