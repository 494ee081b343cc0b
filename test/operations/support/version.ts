import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import type { Dialect } from '../../../src/storage/index.ts';
import { Command, type Finished } from '../../support/command.ts';
import { postgresUrl } from '../../support/databases.ts';

let schemas = 0;

/** Log lines, as they are written. */
type Line = Readonly<Record<string, unknown>> & { readonly msg: string };

/** A server of one version or another, as a process of its own. */
export interface VersionServer {
  readonly address: string;
  readonly command: Command;
  logged(message: string): Line[];
  fetch(
    method: string,
    path: string,
    token: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
}

/** One installation that several versions of the program work with. */
export class Upgraded {
  readonly folder = mkdtempSync(join(tmpdir(), 'lockkeeper-upgrade-'));
  readonly #config = join(this.folder, 'lockkeeper.yaml');
  readonly #schema = `upgrade_${process.pid}_${++schemas}`;
  readonly #kind: Dialect;
  readonly #started: Command[] = [];

  constructor(kind: Dialect) {
    this.#kind = kind;
    const storage =
      kind === 'sqlite'
        ? '{ type: sqlite, directory: data }'
        : `{ type: postgres, schema: ${this.#schema}, blob_directory: blobs }`;
    writeFileSync(
      this.#config,
      `listeners: [{ address: "127.0.0.1:0", services: [access, workspaces], plain_http: true }]
storage: ${storage}
keyring_file: keyring.json
audit: { file: audit.log }
limits: { lame_duck: 0s }
workers: 1
`,
    );
  }

  /** @param main of the version; of this one when absent */
  run(args: readonly string[], main?: string): Promise<Finished> {
    return this.#command(args, main).ended();
  }

  /** What `init` prints, by its name. */
  async init(): Promise<{ readonly root: string; readonly user: string }> {
    const { stdout, stderr } = await this.run(['init']);
    const token = (name: string) => new RegExp(`${name} token +(\\S+)`).exec(stdout)?.[1] ?? '';
    if (!token('user')) throw new Error(stderr);
    return { root: token('root'), user: token('user') };
  }

  /** Fails with what the program says when it ends before it is ready. */
  async serve(main?: string): Promise<VersionServer> {
    const command = this.#command(['serve'], main);
    const lines = () => command.stdout.split('\n').filter(Boolean);
    const logged = (message: string) =>
      lines()
        .map((line) => JSON.parse(line) as Line)
        .filter(({ msg }) => msg === message);
    const ready = new Promise<string>((resolve) => {
      command.process.stdout?.on('data', () => {
        if (!command.stdout.endsWith('\n')) return;
        const [line] = logged('ready') as unknown as { addresses: [string] }[];
        if (line) resolve(line.addresses[0]);
      });
    });
    const ended = command.ended().then(({ stderr, stdout }) => {
      throw new Error(`it ended: ${stderr}${stdout}`);
    });
    const address = await Promise.race([ready, ended]);
    return {
      ...{ address, command, logged },
      fetch: (method, path, token, body, headers) =>
        fetch(new URL(path, address), {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/vnd.api+json', ...headers },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
    };
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

  #command(args: readonly string[], main?: string): Command {
    const environment = this.#kind === 'postgres' ? { LOCKKEEPER_STORAGE_URL: postgresUrl ?? '' } : undefined;
    const command = new Command([...args, '--config', this.#config], environment, main);
    this.#started.push(command);
    return command;
  }
}
