import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accessMigrations } from '../../../src/access/index.ts';
import type { Dialect } from '../../../src/storage/index.ts';
import { workspacesMigrations } from '../../../src/workspaces/index.ts';

const FOLDER = join(import.meta.dirname, '../upgrade/fixtures');

/** What an installation shows: by the path of a request, the answer without what is new in each one. */
export type Shown = Readonly<Record<string, unknown>>;

/** What is known of an installation, beside what is in its backup. */
export interface Known {
  readonly dialect: Dialect;
  /** By who asks. They have no end. */
  readonly tokens: Readonly<Record<'root' | 'owner', string>>;
  readonly shown: Shown;
}

/** An installation as a version with this schema has left it: its backup, its keyring, and what it showed. */
export class Fixture {
  /** `0011-policy-uses+0040-well-formed.sqlite`: the last steps of its schema. */
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

  /** Makes its folder; the backup is put there by whoever makes it. */
  write(known: Known, keyring: Uint8Array): void {
    mkdirSync(join(FOLDER, this.name), { recursive: true });
    writeFileSync(this.keyring, keyring);
    writeFileSync(join(FOLDER, this.name, 'known.json'), `${JSON.stringify(known, null, 1)}\n`);
  }
}

/** That of the schema that this version has. */
export function currentFixture(dialect: Dialect): Fixture {
  const last = [accessMigrations, workspacesMigrations].map((migrations) => migrations.at(-1)?.name);
  return new Fixture(`${last.join('+')}.${dialect}`);
}

/** All of them; one that has landed stays. */
export const allFixtures = (): Fixture[] => readdirSync(FOLDER).map((name) => new Fixture(name));
