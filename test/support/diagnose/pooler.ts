import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../machine/free-port.ts';

/** PgBouncer in front of a server. It refuses to run as root: then it runs as another user. */
export class Pooler {
  readonly url: string;
  readonly #process: ChildProcess;
  readonly #folder: string;

  private constructor(url: string, process: ChildProcess, folder: string) {
    this.url = url;
    this.#process = process;
    this.#folder = folder;
  }

  static async start(server: string, mode: 'session' | 'transaction'): Promise<Pooler> {
    const { hostname, port, username, pathname } = new URL(server);
    const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-pooler-'));
    chmodSync(folder, 0o755);
    const own = await freePort();
    const file = join(folder, 'pgbouncer.ini');
    writeFileSync(
      file,
      `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
auth_type = trust
auth_file = ${join(folder, 'users')}
pool_mode = ${mode}
ignore_startup_parameters = extra_float_digits
unix_socket_dir =
`,
    );
    writeFileSync(join(folder, 'users'), `"${username}" ""\n`);
    const isRoot = process.getuid?.() === 0;
    const child = spawn('/usr/sbin/pgbouncer', [...(isRoot ? ['-u', 'nobody'] : []), file], { stdio: 'ignore' });
    for (;;) {
      const socket = connect(own, '127.0.0.1');
      const isThere = await once(socket, 'connect').then(
        () => true,
        () => false,
      );
      socket.destroy();
      if (isThere) break;
      if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`);
      await sleep(50);
    }
    return new Pooler(`postgres://${username}@127.0.0.1:${own}${pathname}`, child, folder);
  }

  async stop(): Promise<void> {
    this.#process.kill('SIGKILL');
    if (this.#process.exitCode === null) await once(this.#process, 'exit');
    rmSync(this.#folder, { recursive: true });
  }
}
