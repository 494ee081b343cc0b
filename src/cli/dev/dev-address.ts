import { once } from 'node:events';
import { type AddressInfo, createServer, isIPv6 } from 'node:net';

/** Address on which the demo listens. */
export interface Listen {
  readonly host: string;
  readonly port: number;
}

/** Addresses at which a browser on this machine reaches the server as `localhost`. */
const ON_THIS_MACHINE = new Set(['localhost', '127.0.0.1', '::1', '0.0.0.0', '::']);

/** Replaces port 0 by a free port: the server must know its own URL before it starts, for the identity of runs. */
export async function withPort({ host, port }: Listen): Promise<Listen> {
  if (port !== 0) return { host, port };
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const free = (server.address() as AddressInfo).port;
  server.close();
  await once(server, 'close');
  return { host, port: free };
}

/** Returns the URL for people. Browsers refuse passkeys at IP addresses, so it is `localhost` where possible. */
export function publicUrl({ host, port }: Listen): string {
  const name = ON_THIS_MACHINE.has(host) ? 'localhost' : host;
  return `https://${isIPv6(name) ? `[${name}]` : name}:${port}`;
}
