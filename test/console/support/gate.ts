import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy with a fixed port: tests connect it to one server, to another, or to none. */
export interface Gate {
  readonly address: string;
  /** Cuts open connections and refuses new ones. */
  shut(): void;
  /** Forwards new connections to this server. */
  lead(to: string): void;
  close(): void;
}

export async function openGate(to: string): Promise<Gate> {
  const sockets = new Set<Socket>();
  let target: URL | undefined = new URL(to);
  const server = createServer((socket) => {
    socket.on('error', () => {});
    if (target === undefined) return void socket.destroy();
    const other = connect(Number(target.port), target.hostname);
    for (const [one, its] of [
      [socket, other],
      [other, socket],
    ] as const) {
      sockets.add(one);
      one.pipe(its);
      one
        .on('error', () => its.destroy())
        .once('close', () => {
          sockets.delete(one);
          its.destroy();
        });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    address: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shut: () => {
      target = undefined;
      cut();
    },
    lead: (next) => {
      target = new URL(next);
    },
    close: () => {
      cut();
      server.close();
    },
  };
}
