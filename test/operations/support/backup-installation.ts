import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import type { Dialect } from '../../../src/storage/index.ts';
import { Command, type Finished } from '../../support/command.ts';
import { postgresUrl } from '../../support/databases.ts';
import { type Answer, type CallOptions, call } from '../../support/http.ts';
import { createRoot } from '../../support/pki.ts';

let schemas = 0;

type Line = Readonly<Record<string, unknown>> & { readonly msg: string };

/** A server of an installation, as a process of its own. */
export class Node {
  readonly command: Command;
  address = '';
  readonly #ca: string;

  constructor(command: Command, ca: string) {
    this.command = command;
    this.#ca = ca;
  }

  logged(message: string): Line[] {
    const lines = this.command.stdout.split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg === message);
  }

  /** Fails with what the program says when it ends before it is ready. */
  async ready(): Promise<this> {
    const ready = new Promise<string>((resolve) => {
      this.command.process.stdout?.on('data', () => {
        const [line] = this.logged('ready') as unknown as { addresses: [string] }[];
        if (line) resolve(line.addresses[0]);
      });
    });
    const ended = this.command.ended().then(({ stderr, stdout }) => {
      throw new Error(`it ended: ${stderr}${stdout}`);
    });
    this.address = await Promise.race([ready, ended]);
    return this;
  }

  call(method: string, path: string, options?: CallOptions): Promise<Answer> {
    return call({ address: this.address, ca: this.#ca }, method, path, options);
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    this.command.signal(signal);
    await this.command.ended();
  }
}

/** What an operator has on a machine: a configuration, a keyring, and what the server makes of it. */
export class BackupInstallation {
  readonly folder = mkdtempSync(join(tmpdir(), 'lockkeeper-installation-'));
  readonly backups = join(this.folder, 'backups');
  readonly clients = createRoot({ subject: 'Client CA' });
  readonly client = this.clients.issue({ subject: 'machine-1', dns: ['machine-1.example.com'] });
  readonly kind: Dialect;
  readonly schema = `operated_${process.pid}_${++schemas}`;
  readonly #authority = createRoot({ subject: 'Server CA' });
  readonly #commands: Command[] = [];
  tokens = { root: '', user: '' };

  /** @param settings more of the configuration, in YAML @param storage more of `storage` */
  constructor(kind: Dialect, settings = '', storage = '') {
    this.kind = kind;
    const server = this.#authority.issue({
      subject: 'localhost',
      ips: ['127.0.0.1'],
      extendedKeyUsage: ['serverAuth'],
    });
    writeFileSync(join(this.folder, 'server.pem'), server.pem);
    writeFileSync(join(this.folder, 'server.key'), server.keyPem);
    mkdirSync(this.backups);
    const place = storage === '' && kind === 'postgres' ? 'blob_directory: blobs' : storage;
    const where = kind === 'sqlite' ? 'type: sqlite, directory: data' : `type: postgres, schema: ${this.schema}`;
    writeFileSync(
      this.path('lockkeeper.yaml'),
      `listeners:
  - address: 127.0.0.1:0
    services: [access, workspaces, metrics]
    console: false
    tls: { certificate_file: server.pem, private_key_file: server.key }
storage: { ${[where, place].filter(Boolean).join(', ')} }
keyring_file: keyring.json
limits: { lame_duck: 0s }
workers: 1
${settings}
`,
    );
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** @param main of another version */
  run(args: readonly string[], main?: string): Promise<Finished> {
    return this.#command(args, main).ended();
  }

  async init(): Promise<void> {
    const { stdout, stderr } = await this.run(['init']);
    this.tokens = tokensIn(stdout);
    if (this.tokens.user === '') throw new Error(stderr);
  }

  /** On a machine whose environment differs. */
  runWith(environment: Record<string, string>, args: readonly string[]): Promise<Finished> {
    return this.#command(args, undefined, environment).ended();
  }

  serve(main?: string): Promise<Node> {
    return new Node(this.#command(['serve'], main), this.#authority.pem).ready();
  }

  /** As when a disk dies: databases and contents are gone. */
  async lose(): Promise<void> {
    for (const folder of ['data', 'blobs']) rmSync(this.path(folder), { recursive: true, force: true });
    await this.#dropSchema();
  }

  files(): string[] {
    return readdirSync(this.backups).toSorted();
  }

  bytes(file: string): Buffer {
    return readFileSync(join(this.backups, file));
  }

  async remove(): Promise<void> {
    for (const { process: one } of this.#commands)
      if (one.exitCode === null && one.signalCode === null) one.kill('SIGKILL');
    await Promise.all(this.#commands.map((command) => command.ended()));
    await this.#dropSchema();
    rmSync(this.folder, { recursive: true });
  }

  async query(text: string): Promise<void> {
    const pool = new Pool({ connectionString: postgresUrl, max: 1 });
    await pool.query(text).finally(() => pool.end());
  }

  async #dropSchema(): Promise<void> {
    if (this.kind === 'postgres') await this.query(`DROP SCHEMA IF EXISTS "${this.schema}" CASCADE`);
  }

  #command(args: readonly string[], main?: string, more: Record<string, string> = {}): Command {
    const environment = { ...more, ...(this.kind === 'postgres' && { LOCKKEEPER_STORAGE_URL: postgresUrl ?? '' }) };
    const command = new Command([...args, '--config', this.path('lockkeeper.yaml')], environment, main);
    this.#commands.push(command);
    return command;
  }
}

/** What `init` and `backup restore --revoke-tokens` print. */
export function tokensIn(text: string): { root: string; user: string } {
  const token = (name: string) => new RegExp(`^${name} token +(\\S+)`, 'm').exec(text)?.[1] ?? '';
  return { root: token('root'), user: token('user') };
}
