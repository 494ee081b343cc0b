import type { Socket } from 'node:net';

/**
 * Maximum number of bytes that are read and discarded after the last response of a connection.
 * @limit discarded bytes after the last response of an HTTP/1.1 connection, bytes -> nothing more is read
 */
export const LINGER_BYTES = 67_108_864;
/** @limit duration of the lingering close of an HTTP/1.1 connection, ms -> the connection is closed */
const LINGER_MS = 10_000;
/** @limit time without a byte during a lingering close, ms -> the connection is closed */
const LINGER_IDLE_MS = 2_000;

/**
 * Closes a connection after its last response with a lingering close (RFC 9112 §9.6): closes the sending side, then
 * reads and discards until the client closes its own. Closing a socket that holds unread bytes sends a reset, and a
 * client that is still writing its request would lose the response.
 */
export function closeLingering(socket: Socket): void {
  const destroy = () => void socket.destroy();
  // The parser may have paused the socket. Only its listeners can resume it, and they are removed with the first
  // `data` listener.
  socket.emit('resume');
  socket.removeAllListeners('data').removeAllListeners('end').removeAllListeners('resume');
  let discarded = 0;
  socket.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    // Destroying it here would send a reset before the client has read the response.
    if (discarded > LINGER_BYTES) socket.pause();
  });
  socket.once('end', destroy).setTimeout(LINGER_IDLE_MS, destroy);
  const timer = setTimeout(destroy, LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.end();
  socket.resume();
}
