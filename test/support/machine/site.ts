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
  /** The name of its configuration. Default: `lockkeeper.yaml`; empty for a command that takes none. */
  readonly config?: string;
  /** Beside that of the site. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Entry point of another version of the program. */
  readonly main?: string;
  /** A program that runs it. */
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
  readonly #schema = `site_${process.pid}_${++schemas}`;
  readonly #started: Command[] = [];

  /** @param kind on PostgreSQL it has a schema of its own */
  constructor(kind: Dialect, settings: Settings = {}) {
    this.kind = kind;
    this.environment = kind === 'postgres' ? { LOCKKEEPER_STORAGE_URL: postgresUrl ?? '' } : {};
    this.write(settings);
  }

  at(...path: readonly string[]): string {
    return join(this.folder, ...path);
  }

  /** Writes a configuration. @param more of it, as it stands in the file */
  write(settings: Settings, { name = 'lockkeeper.yaml', more = '' } = {}): void {
    const place = `{ type: postgres, schema: ${this.#schema}, blob_directory: blobs }`;
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

  /** Fails with what it says. @returns what it prints */
  async done(args: readonly string[], options?: ProcessOptions): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, options);
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout;
  }

  /** @returns the tokens of who comes first */
  async init(): Promise<{ readonly root: string; readonly user: string }> {
    this.tokens = tokensIn(await this.done(['init']));
    return this.tokens;
  }

  /** Ready when it resolves. Fails with what the program says when it ends before. */
  async serve(options?: ProcessOptions): Promise<RunningServer> {
    const command = this.start(['serve'], options);
    const [address = ''] = await command.ready();
    return new RunningServer(command, address, this.ca);
  }

  /** All that its processes have printed. */
  get printed(): string {
    return this.#started.map(({ stdout, stderr }) => stdout + stderr).join('\n');
  }

  /** On PostgreSQL: with all that is in it. */
  async dropSchema(): Promise<void> {
    if (this.kind === 'postgres') await dropSchema(postgresUrl ?? '', this.#schema);
  }

  /** Also what a test has not stopped that failed. */
  async remove(): Promise<void> {
    await Promise.all(this.#started.map((command) => command.kill()));
    await this.dropSchema();
    rmSync(this.folder, { recursive: true });
  }
}
