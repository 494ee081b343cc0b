import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Diagnosis } from '../../../src/diagnosis/index.ts';
import { Command, type Finished } from '../command.ts';

/** What `lockkeeper diagnose` says. */
export interface Diagnosed extends Finished {
  readonly status: string;
  readonly subjects: readonly Diagnosis[];
  /** `found('database', 'schema')`: what stands there, as `failure: …`; names of things may be part of the way. */
  found(...way: readonly string[]): string;
  /** Everything that is neither in order nor left out, by its way. */
  bad(): string[];
}

/** An installation that something is done to. */
export class Diagnosable {
  readonly folder = mkdtempSync(join(tmpdir(), 'lockkeeper-diagnose-'));
  readonly config = join(this.folder, 'lockkeeper.yaml');
  readonly environment: Record<string, string> = {};
  storage: string;

  /** @param storage in YAML, as it stands behind `storage:` */
  constructor(storage = '{ type: sqlite, directory: data }') {
    this.storage = storage;
    this.configure();
  }

  at(...path: readonly string[]): string {
    return join(this.folder, ...path);
  }

  /** @param more settings, in YAML */
  configure(
    more = '',
    listener = '{ address: "127.0.0.1:0", services: [access, workspaces], plain_http: true }',
  ): void {
    const audit = more.includes('audit:') ? '' : 'audit: { file: audit.log }';
    writeFileSync(
      this.config,
      `listeners: [${listener}]\nstorage: ${this.storage}\nkeyring_file: keyring.json\nlimits: { lame_duck: 0s, connections: 100 }\n${audit}\n${more}\n`,
    );
  }

  start(args: readonly string[], within: readonly string[] = []): Command {
    return new Command([...args, '--config', this.config], this.environment, undefined, within);
  }

  async init(): Promise<Finished> {
    const init = await this.start(['init']).ended();
    if (init.code !== 0) throw new Error(init.stderr);
    return init;
  }

  async diagnose(args: readonly string[] = [], within: readonly string[] = []): Promise<Diagnosed> {
    const ended = await this.start(['diagnose', '--format', 'json', ...args], within).ended();
    if (!ended.stdout.startsWith('{')) throw new Error(`${ended.code}: ${ended.stderr}${ended.stdout}`);
    const { status, subjects } = JSON.parse(ended.stdout) as Pick<Diagnosed, 'status' | 'subjects'>;
    return { ...ended, status, subjects, found: (...way) => foundIn(subjects, way), bad: () => badIn(subjects, '') };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

function foundIn(parts: readonly Diagnosis[], [name, ...way]: readonly string[]): string {
  const part = parts.find((one) => one.name === name);
  if (part === undefined) throw new Error(`no ${name} among ${parts.map((one) => one.name).join(', ')}`);
  if (way.length > 0) return foundIn(part.parts ?? [], way);
  return `${part.status}: ${[part.found, part.detail].filter(Boolean).join(' | ')}`;
}

function badIn(parts: readonly Diagnosis[], before: string): string[] {
  return parts.flatMap(({ name, status, parts: below, advice }) => {
    if (status === 'success' || status === 'skipped') return [];
    if (below) return badIn(below, `${before}${name} / `);
    if (!advice) throw new Error(`${before}${name} does not say what to do`);
    return [`${status} ${before}${name}`];
  });
}

/** Has a server listen on this machine, and tells the port. */
export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
