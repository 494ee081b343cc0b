import type { Socket } from 'node:net';

/**
 * Maximum number of bytes that are read and discarded after the last answer of a connection.
 * @limit bytes that are read and discarded after the last answer of an HTTP/1.1 connection, bytes -> nothing more is read
 */
export const LINGER_BYTES = 67_108_864;
/** @limit the time for that of an HTTP/1.1 connection, ms -> the connection is closed */
const LINGER_MS = 10_000;
/** @limit a time without a byte after the last answer of an HTTP/1.1 connection, ms -> the connection is closed */
const LINGER_IDLE_MS = 2_000;

/**
 * Closes a connection after its last answer with a lingering close (RFC 9112 §9.6): closes the sending side, then reads and
 * discards until the client closes its own. Closing a socket that holds unread bytes sends a reset, and a client that is
 * still writing its request would lose the answer.
 */
export function closeLingering(socket: Socket): void {
  const destroy = () => void socket.destroy();
  // The parser may have stopped the socket. Its listeners alone can start it, and they leave with the first one of `data`.
  socket.emit('resume');
  socket.removeAllListeners('data').removeAllListeners('end').removeAllListeners('resume');
  let discarded = 0;
  socket.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    // Destroying it here would send the reset while the client may not have read the answer.
    if (discarded > LINGER_BYTES) socket.pause();
  });
  socket.once('end', destroy).setTimeout(LINGER_IDLE_MS, destroy);
  const timer = setTimeout(destroy, LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.end();
  socket.resume();
}
