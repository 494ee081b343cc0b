import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accessMigrations } from '../../../src/access/index.ts';
import type { Dialect } from '../../../src/storage/index.ts';
import { workspacesMigrations } from '../../../src/workspaces/index.ts';

const FOLDER = join(import.meta.dirname, '../upgrade/fixtures');

/** Answers of a server: by request path, without the values that change in each answer. */
export type Shown = Readonly<Record<string, unknown>>;

/** Known facts about a server, in addition to its backup. */
export interface Known {
  readonly dialect: Dialect;
  /** Tokens by caller. They do not expire. */
  readonly tokens: Readonly<Record<'root' | 'owner', string>>;
  readonly shown: Shown;
}

/** A server as a version with this schema left it: its backup, its keyring and its answers. */
export class Fixture {
  /** `0011-policy-uses+0040-well-formed.sqlite`: the last migrations of its schema. */
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  get backup(): string {
    return join(FOLDER, this.name, 'backup');
  }

  get keyring(): string {
    return join(FOLDER, this.name, 'keyring.json');
  }

  get known(): Known {
    return JSON.parse(readFileSync(join(FOLDER, this.name, 'known.json'), 'utf8')) as Known;
  }

  get exists(): boolean {
    return existsSync(this.backup);
  }

  /** Creates the folder of the fixture; the caller writes the backup into it. */
  write(known: Known, keyring: Uint8Array): void {
    mkdirSync(join(FOLDER, this.name), { recursive: true });
    writeFileSync(this.keyring, keyring);
    writeFileSync(join(FOLDER, this.name, 'known.json'), `${JSON.stringify(known, null, 1)}\n`);
  }
}

/** The fixture of this version's schema. */
export function currentFixture(dialect: Dialect): Fixture {
  const last = [accessMigrations, workspacesMigrations].map((migrations) => migrations.at(-1)?.name);
  return new Fixture(`${last.join('+')}.${dialect}`);
}

/** All fixtures. A fixture never changes after it is merged. */
export const allFixtures = (): Fixture[] => readdirSync(FOLDER).map((name) => new Fixture(name));
