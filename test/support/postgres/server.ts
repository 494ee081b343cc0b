import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../machine/free-port.ts';
import { findPrograms, giveToUser, runAsUser, USER } from './programs.ts';

/** A private PostgreSQL server on loopback, in a temporary folder. */
export class PostgresServer {
  /** `postgres://postgres@127.0.0.1:40123/postgres`; the same after a restart. */
  readonly url: string;
  readonly #folder: string;
  readonly #settings: string;

  private constructor(folder: string, port: number, settings: readonly string[]) {
    this.#folder = folder;
    this.url = `postgres://${USER}@127.0.0.1:${port}/postgres`;
    const all = ['listen_addresses=127.0.0.1', 'max_connections=200', ...settings];
    this.#settings = [`-p ${port} -k ${folder}`, ...all.map((setting) => `-c ${setting}`)].join(' ');
  }

  /** @param settings such as `fsync=off` */
  static async start(...settings: readonly string[]): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-postgres-'));
    const server = new PostgresServer(folder, await freePort(), settings);
    try {
      giveToUser(folder);
      const how = ['-U', USER, '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
      runAsUser(join(findPrograms(), 'initdb'), '-D', server.#data, ...how);
      server.start();
      return server;
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Starts a standby that follows this server: a read-only copy. */
  async standby(): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-postgres-'));
    const server = new PostgresServer(folder, await freePort(), ['fsync=off']);
    try {
      giveToUser(folder);
      const how = ['-d', this.url, '-D', server.#data, '-R', '-X', 'stream', '--checkpoint=fast', '--no-sync'];
      runAsUser(join(findPrograms('pg_basebackup'), 'pg_basebackup'), ...(how as [string, ...string[]]));
      server.start();
      return server;
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Process ID of the postmaster. */
  get pid(): number {
    return Number(readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  }

  /** Starts the server again on the same port; resolves when it is ready. */
  start(): void {
    this.#control('start', '-l', join(this.#folder, 'log'), '-o', this.#settings);
  }

  /** @param mode `immediate`: like a crash */
  stop(mode: 'fast' | 'immediate'): void {
    this.#control('stop', '-m', mode);
  }

  /** Stops its processes with SIGSTOP; connections stay open. */
  pause(): void {
    this.#signal('SIGSTOP');
  }

  resume(): void {
    this.#signal('SIGCONT');
  }

  remove(): void {
    try {
      this.stop('immediate');
    } finally {
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  #control(...words: string[]): void {
    runAsUser(join(findPrograms(), 'pg_ctl'), ...words, '-w', '-D', this.#data);
  }

  /** The postmaster first, so that it starts no more processes. */
  #signal(signal: NodeJS.Signals): void {
    const { pid } = this;
    process.kill(pid, signal);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    for (const child of children) {
      try {
        process.kill(Number(child), signal);
      } catch (error) {
        // The process has ended meanwhile.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
  }
}
