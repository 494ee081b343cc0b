import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../support/machine/free-port.ts';
import { asUser, findPrograms, giveToUser, USER } from '../../support/postgres/programs.ts';
import { Balancer } from './balancer.ts';

const MEMBERS = ['one', 'two'];
/** Timeout of a start, and interval between two checks, milliseconds. */
const PATIENCE = 90_000;
const LOOK = 200;

interface Member {
  readonly name: string;
  readonly port: number;
  /** URL of Patroni's REST API. */
  readonly rest: number;
  readonly folder: string;
  patroni?: ChildProcess;
}

/** PostgreSQL with a synchronous standby, managed by Patroni, etcd and HAProxy: all of it on loopback. */
export class Replicated {
  readonly #folder = mkdtempSync(join(tmpdir(), 'lockkeeper-replicated-'));
  #etcd: ChildProcess | undefined;
  #balancer: Balancer | undefined;
  readonly #members: readonly Member[];
  readonly #ports: { readonly etcd: number; readonly peers: number };

  private constructor(ports: readonly number[]) {
    const [etcd = 0, peers = 0, ...rest] = ports;
    this.#ports = { etcd, peers };
    this.#members = MEMBERS.map((name, index) => {
      const folder = join(this.#folder, name);
      mkdirSync(folder);
      return { name, port: rest[2 * index] ?? 0, rest: rest[2 * index + 1] ?? 0, folder };
    });
  }

  /** Starts a leader and a synchronous standby. */
  static async start(): Promise<Replicated> {
    const all = new Replicated(await Promise.all(Array.from({ length: 2 + 2 * MEMBERS.length }, freePort)));
    try {
      await all.#start();
      return all;
    } catch (error) {
      await all.remove();
      throw error;
    }
  }

  /** Connection URL of the current leader, through the balancer. */
  get url(): string {
    return urlOf(this.#balancer?.port ?? 0);
  }

  /** Connection URL of a standby, without the balancer. */
  async standbyUrl(): Promise<string> {
    return urlOf((await this.#memberThatIs('sync'))?.port ?? 0);
  }

  /** Simulates a power cut of its machine: kills PostgreSQL and Patroni at once. */
  async killLeader(): Promise<void> {
    const leader = await this.#memberThatIs('primary');
    if (leader === undefined) throw new Error('nobody leads');
    await killMember(leader);
  }

  /** Planned switchover: leader and standby exchange their roles. */
  async switchOver(): Promise<void> {
    const [leader, standby] = [await this.#memberThatIs('primary'), await this.#memberThatIs('sync')];
    const body = JSON.stringify({ leader: leader?.name, candidate: standby?.name });
    const answer = await fetch(`http://127.0.0.1:${leader?.rest}/switchover`, { method: 'POST', body });
    if (!answer.ok) throw new Error(await answer.text());
    await this.standbyIsSynchronous();
  }

  /** From then on every acknowledged write is on two members. */
  standbyIsSynchronous(): Promise<void> {
    return this.#until('a standby is synchronous', async () => (await this.#memberThatIs('sync')) !== undefined);
  }

  async remove(): Promise<void> {
    await Promise.all(this.#members.map(killMember));
    if (this.#etcd) await kill(this.#etcd);
    await this.#balancer?.stop();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #start(): Promise<void> {
    const { etcd, peers } = this.#ports;
    const [client, peer] = [`http://127.0.0.1:${etcd}`, `http://127.0.0.1:${peers}`];
    const urls = [`--listen-client-urls=${client}`, `--advertise-client-urls=${client}`, `--listen-peer-urls=${peer}`];
    const self = [`--initial-advertise-peer-urls=${peer}`, `--initial-cluster=default=${peer}`];
    for (const member of this.#members) writeFileSync(join(member.folder, 'patroni.yaml'), this.#patroni(member));
    giveToUser(this.#folder);
    this.#etcd = this.#spawn('etcd', ['etcd', `--data-dir=${join(this.#folder, 'etcd')}`, ...urls, ...self]);
    for (const member of this.#members) {
      member.patroni = this.#spawn(member.name, ['patroni', join(member.folder, 'patroni.yaml')]);
      await this.#until(`${member.name} runs`, async () => (await this.#is(member, 'health')) === 200);
    }
    await this.standbyIsSynchronous();
    const backends = this.#members.map(({ name, port, rest }) => ({ name, port, checked: rest }));
    this.#balancer = await Balancer.start('OPTIONS /primary', backends);
  }

  /** Status of Patroni's health endpoints: `primary`, `sync`, `health`. */
  async #is({ rest }: Member, what: string): Promise<number> {
    const answer = await fetch(`http://127.0.0.1:${rest}/${what}`).catch(() => undefined);
    await answer?.body?.cancel();
    return answer?.status ?? 0;
  }

  async #memberThatIs(what: string): Promise<Member | undefined> {
    for (const member of this.#members) if ((await this.#is(member, what)) === 200) return member;
    return undefined;
  }

  async #until(what: string, holds: () => Promise<boolean>): Promise<void> {
    for (const end = performance.now() + PATIENCE; !(await holds()); await sleep(LOOK)) {
      if (performance.now() > end) throw new Error(`${what}: not within ${PATIENCE} ms\n${this.#logs()}`);
    }
  }

  #logs(): string {
    return globSync(join(this.#folder, '*.log'))
      .map((file) => readFileSync(file, 'utf8').slice(-3000))
      .join('\n');
  }

  #spawn(name: string, command: [string, ...string[]]): ChildProcess {
    const [file, ...args] = asUser(command);
    const log = openSync(join(this.#folder, `${name}.log`), 'a');
    return spawn(file, args, { cwd: this.#folder, stdio: ['ignore', log, log] });
  }

  /** A failover takes a little more than `ttl` seconds. */
  #patroni({ name, port, rest, folder }: Member): string {
    return JSON.stringify({
      ...{ scope: 'lockkeeper', name },
      restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
      etcd3: { host: `127.0.0.1:${this.#ports.etcd}` },
      bootstrap: {
        dcs: { ttl: 20, loop_wait: 1, retry_timeout: 3, synchronous_mode: true },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'no-sync'],
      },
      postgresql: {
        listen: `127.0.0.1:${port}`,
        connect_address: `127.0.0.1:${port}`,
        data_dir: join(folder, 'data'),
        bin_dir: findPrograms('pg_controldata'),
        pgpass: join(folder, 'pgpass'),
        pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
        authentication: { superuser: { username: USER }, replication: { username: 'replicator' } },
        parameters: { unix_socket_directories: folder, max_connections: 100, fsync: false },
      },
    });
  }
}

const urlOf = (port: number) => `postgres://${USER}@127.0.0.1:${port}/postgres`;

async function killMember({ patroni, folder }: Member): Promise<void> {
  if (patroni) await kill(patroni);
  try {
    const [pid] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n');
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    for (const one of [pid, ...children]) process.kill(Number(one), 'SIGKILL');
  } catch (error) {
    // The process has not started, or has exited meanwhile.
    if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
