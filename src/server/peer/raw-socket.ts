import type { Socket } from 'node:net';

/** The stream under a TLS socket, and of any other the socket itself. Node has no public name for it. */
export function rawSocket(socket: Socket): Socket {
  return (socket as Socket & { readonly _parent?: Socket })._parent ?? socket;
}
