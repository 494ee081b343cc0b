import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Migration } from '../../../src/storage/index.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const MODULES = 'src/workspaces/modules.ts';
const LAST = 'MODULES.flatMap(({ migrations }) => migrations)';

/** Migrations that a version adds to the workspace schema. The statements work in both databases. */
export type NextStep = Pick<Migration, 'name' | 'compatibleFrom'> & { readonly statements: readonly string[] };

/** A version after this one: its sources, ready to run. */
export interface NextVersion {
  /** `…/src/main.ts` */
  readonly main: string;
  remove(): void;
}

/** Copies the sources of this version, with more migrations and another version number. */
export function nextVersion(version: string, steps: readonly NextStep[]): NextVersion {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-next-'));
  cpSync(join(ROOT, 'src'), join(folder, 'src'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as object;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, version }));
  const modules = readFileSync(join(folder, MODULES), 'utf8');
  if (!modules.includes(LAST)) throw new Error(`${MODULES} puts migrations together in another way`);
  const more = steps.map(
    ({ statements, ...step }) => `{ ...${JSON.stringify(step)}, statements: () => ${JSON.stringify(statements)} }`,
  );
  writeFileSync(join(folder, MODULES), modules.replace(LAST, `[...${LAST}, ${more.join(', ')}]`));
  return { main: join(folder, 'src/main.ts'), remove: () => rmSync(folder, { recursive: true }) };
}
