import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import type { Diagnosis } from '../../../src/diagnosis/index.ts';
import type { Finished } from '../command.ts';
import { Site } from '../machine/site.ts';

/** Result of `lockkeeper diagnose`. */
export interface Diagnosed extends Finished {
  readonly status: string;
  readonly subjects: readonly Diagnosis[];
  /**
   * `found('database', 'schema')` returns the result of a check, as `failure: …`. A path may contain the names of
   * objects.
   */
  found(...way: readonly string[]): string;
  /** Every check with a warning or a failure, by its path. */
  bad(): string[];
}

/** An installation that a test damages. */
export class Diagnosable extends Site {
  storage: string;

  /** @param storage YAML below `storage:` */
  constructor(storage = '{ type: sqlite, directory: data }') {
    super('sqlite');
    this.storage = storage;
    this.configure();
  }

  /** @param more settings, in YAML */
  configure(
    more = '',
    listener = '{ address: "127.0.0.1:0", services: [access, workspaces], plain_http: true }',
  ): void {
    const audit = more.includes('audit:') ? '' : '{ file: audit.log }';
    const limits = '{ lame_duck: 0s, connections: 100 }';
    const settings = { listeners: `[${listener}]`, storage: this.storage, limits, workers: '', audit };
    this.write(settings, { more: `${more}\n` });
  }

  async diagnose(args: readonly string[] = [], within: readonly string[] = []): Promise<Diagnosed> {
    const ended = await this.run(['diagnose', '--format', 'json', ...args], { within });
    if (!ended.stdout.startsWith('{')) throw new Error(`${ended.code}: ${ended.stderr}${ended.stdout}`);
    const { status, subjects } = JSON.parse(ended.stdout) as Pick<Diagnosed, 'status' | 'subjects'>;
    return { ...ended, status, subjects, found: (...way) => foundIn(subjects, way), bad: () => badIn(subjects, '') };
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

/** Starts a server on this machine, and returns its port. */
export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
