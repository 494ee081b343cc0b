import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import type { Dialect } from '../../../src/storage/index.ts';
import { Command, type Finished } from '../../support/command.ts';
import { postgresUrl } from '../../support/databases.ts';

let schemas = 0;

/** A server as a process of its own. */
export interface InstalledServer {
  readonly command: Command;
  readonly address: string;
  /** Values of variables of the workspace that `prepare` made. */
  values(): Promise<string[]>;
  add(key: string, value: string): Promise<void>;
  stop(): Promise<void>;
}

interface RunOptions {
  readonly config?: string;
  /** Of the environment. */
  readonly more?: Readonly<Record<string, string>>;
  /** A command that takes no configuration. */
  readonly bare?: boolean;
}

/** One whose keyring is wrapped in one way or another, in a folder of its own. */
export class WrappedInstallation {
  readonly folder = mkdtempSync(join(tmpdir(), 'lockkeeper-keys-'));
  readonly keyring = join(this.folder, 'keyring.json');
  readonly #schema = `keys_${process.pid}_${++schemas}`;
  readonly #kind: Dialect;
  readonly #started: Command[] = [];
  readonly environment: Record<string, string>;
  #token = '';
  #workspace = '';

  /** @param wrap of `keyring_wrap`, in YAML; empty for none */
  constructor(kind: Dialect, wrap: string, environment: Record<string, string> = {}) {
    this.#kind = kind;
    this.environment = { ...environment, ...(kind === 'postgres' && { LOCKKEEPER_STORAGE_URL: postgresUrl ?? '' }) };
    this.configure(wrap);
  }

  at(name: string): string {
    return join(this.folder, name);
  }

  /** @returns the name of the file */
  configure(wrap: string, { name = 'lockkeeper.yaml', keyring = 'keyring.json', workers = 1 } = {}): string {
    const storage =
      this.#kind === 'sqlite'
        ? '{ type: sqlite, directory: data }'
        : `{ type: postgres, schema: ${this.#schema}, blob_directory: blobs }`;
    const lines = [
      'listeners: [{ address: "127.0.0.1:0", services: [access, workspaces], plain_http: true }]',
      `storage: ${storage}`,
      `keyring_file: ${keyring}`,
      ...(wrap === '' ? [] : [`keyring_wrap: ${wrap}`]),
      'audit: { file: audit.log }',
      'limits: { lame_duck: 0s }',
      `workers: ${workers}`,
    ];
    writeFileSync(this.at(name), `${lines.join('\n')}\n`);
    return name;
  }

  run(
    args: readonly string[],
    { config = 'lockkeeper.yaml', more = {}, bare = false }: RunOptions = {},
  ): Promise<Finished> {
    return this.#command(bare ? args : [...args, '--config', this.at(config)], more).ended();
  }

  /** Fails with what it says. */
  async done(args: readonly string[], options: RunOptions = {}): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, options);
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout;
  }

  async init(): Promise<void> {
    const printed = await this.done(['init']);
    this.#token = /user token +(\S+)/.exec(printed)?.[1] ?? '';
  }

  /** What it logs before it ends, where it cannot start. */
  async refusal(more: Record<string, string> = {}): Promise<Finished> {
    const ended = await this.run(['serve'], { more });
    if (ended.code === 0) throw new Error('it started');
    return ended;
  }

  async serve({ config = 'lockkeeper.yaml', more = {} } = {}): Promise<InstalledServer> {
    const command = this.#command(['serve', '--config', this.at(config)], more);
    const address = await readyAt(command);
    const ask = async (method: string, path: string, body?: unknown) => {
      const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/vnd.api+json' };
      const sent = body === undefined ? {} : { body: JSON.stringify({ data: body }) };
      const answer = await fetch(new URL(`/api/v2${path}`, address), { method, headers, ...sent });
      if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as { data: { id: string } };
    };
    if (this.#workspace === '') {
      await ask('POST', '/organizations', {
        type: 'organizations',
        attributes: { name: 'acme', email: 'a@example.com' },
      });
      const made = await ask('POST', '/organizations/acme/workspaces', {
        type: 'workspaces',
        attributes: { name: 'one' },
      });
      this.#workspace = made.data.id;
    }
    const vars = `/workspaces/${this.#workspace}/vars`;
    return {
      command,
      address,
      values: async () => {
        const { data } = (await ask('GET', vars)) as unknown as { data: { attributes: { value: string } }[] };
        return data.map(({ attributes }) => attributes.value).toSorted();
      },
      add: async (key, value) => {
        await ask('POST', vars, { type: 'vars', attributes: { key, value, category: 'terraform' } });
      },
      stop: async () => {
        command.signal('SIGTERM');
        await command.ended();
      },
    };
  }

  /** The file as it is. */
  file(path = this.keyring): Record<string, unknown> {
    return JSON.parse(readFileSync(path, 'utf8'));
  }

  /** The keys, and how many values each has sealed. */
  async keys(options: { config?: string } = {}): Promise<Record<number, number>> {
    const { keys } = JSON.parse(await this.done(['keyring', 'list', '--format', 'json'], options)) as {
      keys: { key: number; values: number }[];
    };
    return Object.fromEntries(keys.map(({ key, values }) => [key, values]));
  }

  /** All that its processes have printed. */
  get printed(): string {
    return this.#started.map(({ stdout, stderr }) => stdout + stderr).join('\n');
  }

  async remove(): Promise<void> {
    for (const { process: one } of this.#started)
      if (one.exitCode === null && one.signalCode === null) one.kill('SIGKILL');
    await Promise.all(this.#started.map((command) => command.ended()));
    if (this.#kind === 'postgres') {
      const pool = new Pool({ connectionString: postgresUrl, max: 1 });
      await pool.query(`DROP SCHEMA IF EXISTS "${this.#schema}" CASCADE`);
      await pool.end();
    }
    rmSync(this.folder, { recursive: true });
  }

  #command(args: readonly string[], more: Readonly<Record<string, string>>): Command {
    const command = new Command(args, { ...this.environment, ...more });
    this.#started.push(command);
    return command;
  }
}

/** Fails with what it says when it ends before it is ready. */
async function readyAt(command: Command): Promise<string> {
  const ready = new Promise<string>((resolve) => {
    command.process.stdout?.on('data', () => {
      const lines = command.stdout.split('\n').slice(0, -1);
      const line = lines.find((one) => one.includes('"msg":"ready"'));
      if (line !== undefined) resolve(JSON.parse(line).addresses[0]);
    });
  });
  const ended = command.ended().then(({ stderr, stdout }) => {
    throw new Error(`it ended: ${stderr}${stdout}`);
  });
  return Promise.race([ready, ended]);
}
