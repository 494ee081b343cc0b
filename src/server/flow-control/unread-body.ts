import { constants, type ServerHttp2Stream } from 'node:http2';
import type { AnyIncoming } from '../../lib/request.ts';
import { closeLingering } from '../http1/lingering-close.ts';

/**
 * Maximum number of bytes that are read and discarded of the body of an HTTP/2 request after its answer.
 * @limit bytes that are read and discarded of the body of an HTTP/2 request after its answer, bytes -> the client is asked to stop (RST_STREAM, NO_ERROR)
 */
export const DISCARDED_BYTES = 1_048_576;
/** @limit the time for that of an HTTP/2 body, ms -> the client is asked to stop, as soon as it has taken the answer */
const DISCARD_MS = 2_000;
/**
 * A body that is announced to be no longer than this is read to its end, and its connection kept.
 * @limit a body behind a refusal whose HTTP/1.1 connection is kept, bytes -> the connection is closed behind the answer
 */
export const KEPT_BODY_BYTES = 65_536;

type Http1 = Exclude<AnyIncoming, { readonly stream: unknown }>;

/**
 * Bounds what is read of the body of a request that is about to be answered. Returns whether its connection has to be closed
 * after the answer, because too much of the body is still to come.
 */
export function stopsReading(request: AnyIncoming): boolean {
  if ('stream' in request) {
    const { stream } = request;
    if (!stream.endAfterHeaders && !stream.readableEnded) stream.once('finish', () => discardBody(stream));
    return false;
  }
  if (request.complete) return false;
  const { socket } = request;
  // By it `node:http` closes a connection behind its last answer.
  socket.destroySoon = () => closeLingering(socket);
  return !isShort(request);
}

function isShort({ headers }: Http1): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return encoding === undefined && Number(length) <= KEPT_BODY_BYTES;
}

/**
 * Reads and discards the rest of a body, which closes the stream when the client ends its side. Beyond the bounds the client
 * is asked to stop: RST_STREAM with NO_ERROR, which must not come before END_STREAM of the answer (RFC 9113 §8.1).
 */
function discardBody(stream: ServerHttp2Stream): void {
  const stop = () => {
    // The last frame of the answer waits for a client whose window is closed; `UnsentAnswers` bounds that.
    if (!isAnswered(stream)) return;
    // Bytes that were received and not read would keep a closed stream open.
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

/** Ends a stream at once. An answer that is not complete ends with an error, since clients take NO_ERROR for its end. */
export function breakOff(stream: ServerHttp2Stream): void {
  stream.close(isAnswered(stream) ? constants.NGHTTP2_NO_ERROR : constants.NGHTTP2_INTERNAL_ERROR);
}

/** Whether END_STREAM was sent. */
const isAnswered = (stream: ServerHttp2Stream): boolean => stream.state.localClose === 1;
