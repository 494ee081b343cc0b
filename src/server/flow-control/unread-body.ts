import type { Socket } from 'node:net';
import type { AnyIncoming } from '../../lib/request.ts';

/**
 * What is still read of a body after its answer, bytes: a client that writes first and reads then shall get the answer.
 * @limit what is read of a body after its answer, bytes -> the connection is closed
 */
export const DRAINED_BYTES = 1_048_576;
/**
 * And for how long, milliseconds.
 * @limit the time for that, ms -> the connection is closed
 */
const DRAIN_MS = 2_000;
/**
 * A body that is announced to be no longer than this is read to its end, and its connection kept.
 * @limit a body behind a refusal whose connection is kept, bytes -> the connection is closed behind the answer
 */
export const KEPT_BODY_BYTES = 65_536;

type Http1 = Exclude<AnyIncoming, { readonly stream: unknown }>;

/**
 * For a request that is about to be answered: whether its connection has to be closed then, as too much of its body is still to
 * come. What comes of a body after its answer is bounded in any case.
 */
export function stopsReading(request: AnyIncoming): boolean {
  if ('stream' in request) {
    const { stream } = request;
    // What has come and nobody reads would keep a closed stream open.
    if (!stream.endAfterHeaders && !stream.readableEnded) stream.once('finish', () => stream.resume().close());
    return false;
  }
  if (request.complete) return false;
  const { socket } = request;
  // By it `node:http` closes a connection behind its last answer.
  socket.destroySoon = () => closeGently(socket);
  return !isShort(request);
}

function isShort({ headers }: Http1): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return encoding === undefined && Number(length) <= KEPT_BODY_BYTES;
}

/**
 * Ends a connection, reads on for a moment and throws away what comes: a socket that is closed with bytes unread resets the
 * connection, and the client may never see the answer.
 */
function closeGently(socket: Socket): void {
  const destroy = () => void socket.destroy();
  let drained = 0;
  // Who read the socket until now is told of nothing more: nothing is parsed.
  socket.removeAllListeners('data').removeAllListeners('end');
  socket.on('data', (chunk: Buffer) => {
    drained += chunk.length;
    if (drained > DRAINED_BYTES) destroy();
  });
  socket.once('end', destroy);
  const timer = setTimeout(destroy, DRAIN_MS).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.end();
  socket.resume();
}
