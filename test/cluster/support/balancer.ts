import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../support/machine/free-port.ts';

const PAUSE = 50;
/** Socket with the status of the backends. */
const STATS = 'stats';

/** A node that gets connections. */
interface Backend {
  readonly name: string;
  readonly port: number;
  /** URL of its readiness check. */
  readonly checked: number;
}

/** HAProxy, which forwards connections to the backends that are ready. */
export class Balancer {
  readonly port: number;
  readonly #folder: string;
  readonly #process: ChildProcess;

  private constructor(port: number, folder: string) {
    this.port = port;
    this.#folder = folder;
    const path = `${process.env.PATH}:/usr/sbin`;
    const args = ['-db', '-f', join(folder, 'haproxy.cfg')];
    this.#process = spawn('haproxy', args, { stdio: 'ignore', env: { ...process.env, PATH: path } });
  }

  /**
   * @param check request of the readiness check, such as `GET /healthz/ready`; a backend is used while the answer is
   * 200
   */
  static async start(check: string, backends: readonly Backend[]): Promise<Balancer> {
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-balancer-'));
    const stats = `global\n  stats socket ${join(folder, STATS)} level user\n`;
    writeFileSync(join(folder, 'haproxy.cfg'), stats + configuration(port, check, backends));
    const balancer = new Balancer(port, folder);
    await balancer.#hasLookedAtAll();
    return balancer;
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode === null) {
      this.#process.kill('SIGKILL');
      await once(this.#process, 'exit');
    }
    rmSync(this.#folder, { recursive: true });
  }

  /** Until its first check, HAProxy uses every backend. */
  async #hasLookedAtAll(): Promise<void> {
    for (;;) {
      if (this.#process.exitCode !== null) throw new Error(`haproxy ended with ${this.#process.exitCode}`);
      const servers = await this.#servers().catch(() => []);
      if (servers.length > 0 && servers.every(({ status, check }) => status === 'DOWN' || check === 'L7OK')) return;
      await sleep(PAUSE);
    }
  }

  /** Returns HAProxy's status of each backend, and the result of the last check. */
  async #servers(): Promise<{ status: string; check: string }[]> {
    const socket = connect(join(this.#folder, STATS));
    socket.end('show stat\n');
    const [head = '', ...lines] = (await text(socket)).trim().split('\n');
    const names = head.replace('# ', '').split(',');
    const rows = lines.map((line) => {
      const values = line.split(',');
      return (name: string) => values[names.indexOf(name)] ?? '';
    });
    return rows
      .filter((row) => !['FRONTEND', 'BACKEND'].includes(row('svname')))
      .map((row) => ({ status: row('status'), check: row('check_status') }));
  }
}

// docs/guides/several-nodes.md contains this configuration, too.
const configuration = (port: number, check: string, backends: readonly Backend[]) => `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen all
  bind 127.0.0.1:${port}
  option httpchk ${check}
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${backends.map(({ name, port: to, checked }) => `  server ${name} 127.0.0.1:${to} check port ${checked}\n`).join('')}`;
