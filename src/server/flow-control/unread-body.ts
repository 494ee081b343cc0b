import { constants, type ServerHttp2Stream } from 'node:http2';
import type { AnyIncoming } from '../../lib/request.ts';
import { closeLingering } from '../http1/lingering-close.ts';

/**
 * Maximum number of body bytes of an HTTP/2 request that are read and discarded after the response.
 * @limit discarded body of an HTTP/2 request after its response, bytes -> the client is asked to stop (RST_STREAM,
 * NO_ERROR)
 */
export const DISCARDED_BYTES = 1_048_576;
/** @limit time to discard an HTTP/2 body, ms -> the client is asked to stop as soon as it has read the response */
const DISCARD_MS = 2_000;
/**
 * Maximum announced length of a body that is read to its end to keep the connection.
 * @limit body of a refused HTTP/1.1 request whose connection is kept, bytes -> the connection is closed after the response
 */
export const KEPT_BODY_BYTES = 65_536;

type Http1 = Exclude<AnyIncoming, { readonly stream: unknown }>;

/**
 * Limits reading of the body of a request that is about to get its response. Returns whether the connection must close
 * after the response, because too much of the body is outstanding.
 */
export function stopsReading(request: AnyIncoming): boolean {
  if ('stream' in request) {
    const { stream } = request;
    if (!stream.endAfterHeaders && !stream.readableEnded) stream.once('finish', () => discardBody(stream));
    return false;
  }
  if (request.complete) return false;
  const { socket } = request;
  // `node:http` closes the connection after a response with this header.
  socket.destroySoon = () => closeLingering(socket);
  return !isShort(request);
}

function isShort({ headers }: Http1): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return encoding === undefined && Number(length) <= KEPT_BODY_BYTES;
}

/**
 * Reads and discards the rest of a body; the stream closes when the client ends its side. Beyond the limits the client
 * is asked to stop with RST_STREAM (NO_ERROR), which must follow END_STREAM of the response (RFC 9113 §8.1).
 */
function discardBody(stream: ServerHttp2Stream): void {
  const stop = () => {
    // The last frame waits while the client's window is closed. `UnsentAnswers` limits that wait.
    if (!isAnswered(stream)) return;
    // Unread received bytes would keep a closed stream open.
    stream.resume().close();
  };
  let discarded = 0;
  stream.removeAllListeners('data').on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded <= DISCARDED_BYTES) return;
    stream.pause();
    stop();
  });
  const timer = setInterval(stop, DISCARD_MS).unref();
  stream.once('close', () => clearInterval(timer)).resume();
}

/**
 * Ends a stream at once. An incomplete response ends with an error code, because clients take NO_ERROR for its regular
 * end.
 */
export function breakOff(stream: ServerHttp2Stream): void {
  stream.close(isAnswered(stream) ? constants.NGHTTP2_NO_ERROR : constants.NGHTTP2_INTERNAL_ERROR);
}

/** Returns whether END_STREAM was sent. */
const isAnswered = (stream: ServerHttp2Stream): boolean => stream.state.localClose === 1;
