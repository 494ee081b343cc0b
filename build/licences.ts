import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from './parts.ts';

const TEXT = /^(licen[cs]e|notice|copying)/i;

/** Returns the licences of the bundled packages: name and version of each, and each text once. */
export function licences(parts: readonly Part[]): string {
  const byText = Map.groupBy(parts, textsOf);
  const told = [...byText].map(([text, packages]) => `${packages.map(nameOf).join('\n')}\n\n${text}\n`);
  return ['Lockkeeper comes with the packages below, each under its own licence.\n', ...told].join(
    `\n${'='.repeat(72)}\n`,
  );
}

const nameOf = ({ name, version, license }: Part): string => `${name} ${version} (${license})`;

function textsOf({ folder }: Part): string {
  const texts = readdirSync(folder).filter((file) => TEXT.test(file));
  return texts
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
    .join('\n\n');
}
