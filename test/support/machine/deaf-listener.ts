import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A process that listens and never accepts: once its backlog is full, a new connection gets no response at all. */
const DEAF = `const server = require('node:net').createServer();
server.listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => {
  require('node:fs').writeSync(1, String(server.address().port));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});`;
/** More connections than its backlog holds. */
const FILLING = 4;

export async function startDeafListener(): Promise<{ readonly port: number; stop(): void }> {
  const child = spawn(process.execPath, ['-e', DEAF], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [text] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(text.toString());
  const sockets: Socket[] = Array.from({ length: FILLING }, () => connect(port, '127.0.0.1').on('error', () => {}));
  await once(sockets[0] as Socket, 'connect');
  return {
    port,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      child.kill('SIGKILL');
    },
  };
}
