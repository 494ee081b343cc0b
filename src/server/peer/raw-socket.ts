import type { Socket } from 'node:net';

/** Returns the stream under a TLS socket, or the socket itself. Node.js has no public API for it. */
export function rawSocket(socket: Socket): Socket {
  return (socket as Socket & { readonly _parent?: Socket })._parent ?? socket;
}
