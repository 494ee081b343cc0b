import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Dialect } from '../../../src/storage/index.ts';
import { Command, type Finished, tokensIn } from '../command.ts';
import { dropSchema, postgresUrl } from '../databases.ts';
import { RunningServer } from './running-server.ts';

let schemas = 0;

/** Sections of a configuration: name to YAML. An empty one is left out. */
export type Settings = Readonly<Record<string, string>>;

export interface ProcessOptions {
  /** Name of its configuration file. Default: `lockkeeper.yaml`; empty for a command without one. */
  readonly config?: string;
  /** Additional environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Entry point of another version of the program. */
  readonly main?: string;
  /** Wrapper that runs the program. */
  readonly within?: readonly string[];
}

/**
 * Installation of an operator on one machine: a folder with a configuration and a keyring, and the processes of the
 * program.
 */
export class Site {
  readonly folder = mkdtempSync(join(tmpdir(), 'lockkeeper-site-'));
  readonly config = this.at('lockkeeper.yaml');
  readonly kind: Dialect;
  /** Environment of all of its processes. */
  readonly environment: Record<string, string>;
  tokens = { root: '', user: '' };
  /** PEM of the CA of the server's certificate, if it has one. */
  protected ca: string | undefined;
  /** Schema on PostgreSQL. */
  readonly schema = `site_${process.pid}_${++schemas}`;
  readonly #started: Command[] = [];

  /** @param kind PostgreSQL: the installation gets its own schema */
  constructor(kind: Dialect, settings: Settings = {}) {
    this.kind = kind;
    this.environment = kind === 'postgres' ? { LOCKKEEPER_STORAGE_URL: postgresUrl ?? '' } : {};
    this.write(settings);
  }

  at(...path: readonly string[]): string {
    return join(this.folder, ...path);
  }

  /** Writes a configuration. @param more additional YAML */
  write(settings: Settings, { name = 'lockkeeper.yaml', more = '' } = {}): void {
    const place = `{ type: postgres, schema: ${this.schema}, blob_directory: blobs }`;
    const all = {
      listeners: '[{ address: "127.0.0.1:0", services: [access, workspaces], plain_http: true }]',
      storage: this.kind === 'sqlite' ? '{ type: sqlite, directory: data }' : place,
      keyring_file: 'keyring.json',
      limits: '{ lame_duck: 0s }',
      workers: '1',
      ...settings,
    };
    const lines = Object.entries(all).flatMap(([setting, value]) => (value === '' ? [] : [`${setting}: ${value}\n`]));
    writeFileSync(this.at(name), lines.join('') + more);
  }

  start(args: readonly string[], options: ProcessOptions = {}): Command {
    const { config = 'lockkeeper.yaml', environment, main, within } = options;
    const all = config === '' ? args : [...args, '--config', this.at(config)];
    const command = new Command(all, { ...this.environment, ...environment }, main, within);
    this.#started.push(command);
    return command;
  }

  run(args: readonly string[], options?: ProcessOptions): Promise<Finished> {
    return this.start(args, options).ended();
  }

  /** Runs a command, and fails with its error output. @returns its standard output */
  async done(args: readonly string[], options?: ProcessOptions): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, options);
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout;
  }

  /** @returns the first tokens: the root token and the token of the first user */
  async init(): Promise<{ readonly root: string; readonly user: string }> {
    this.tokens = tokensIn(await this.done(['init']));
    return this.tokens;
  }

  /** Resolves when the server is ready. Fails with the output of the program when it ends first. */
  async serve(options?: ProcessOptions): Promise<RunningServer> {
    const command = this.start(['serve'], options);
    const [address = ''] = await command.ready();
    return new RunningServer(command, address, this.ca);
  }

  /** Output of all of its processes. */
  get printed(): string {
    return this.#started.map(({ stdout, stderr }) => stdout + stderr).join('\n');
  }

  /** Deletes the installation, with its schema on PostgreSQL. */
  async dropSchema(): Promise<void> {
    if (this.kind === 'postgres') await dropSchema(postgresUrl ?? '', this.schema);
  }

  /** Also stops the processes that a failed test left running. */
  async remove(): Promise<void> {
    await Promise.all(this.#started.map((command) => command.kill()));
    await this.dropSchema();
    rmSync(this.folder, { recursive: true });
  }
}
