import { once } from 'node:events';
import { createServer } from 'node:net';
import { promisify } from 'node:util';

/**
 * Ports that no system gives to an outgoing connection by itself: Linux takes those from 32768 on, macOS from 49152 on.
 * A port from there could be in use again before the test listens on it.
 */
const FIRST = 20_000;
const COUNT = 12_768;

/** Returns a port of loopback that is free at the moment. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (await isFree(port)) return port;
  }
  throw new Error(`found no free port from ${FIRST} on`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  await promisify(server.close.bind(server))();
  return true;
}
