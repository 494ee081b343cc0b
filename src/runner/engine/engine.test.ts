import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { enginesHere, findEngine } from './engine.ts';
import { isNewer } from './version.ts';

const folder = mkdtempSync(join(tmpdir(), 'engines-'));
const path = mkdtempSync(join(tmpdir(), 'path-'));
for (const version of ['1.9.0', '1.10.7', '1.10.0-rc1']) put(join(folder, 'opentofu', version), 'tofu', '');
put(path, 'tofu', 'echo \'{"terraform_version":"1.12.6"}\'');

function put(into: string, name: string, script: string): void {
  mkdirSync(into, { recursive: true });
  writeFileSync(join(into, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

test('an engine is taken out of the folder, else from the PATH if its version fits', async () => {
  const found = async (version: string | null, places = { folder: folder as string | null, path }) =>
    (await findEngine({ kind: 'opentofu', version }, places)).program;
  expect(await found('1.9.0')).toBe(join(folder, 'opentofu/1.9.0/tofu'));
  expect(await found(null)).toBe(join(folder, 'opentofu/1.10.7/tofu'));
  expect(await found('1.12.6')).toBe(join(path, 'tofu'));
  expect(await found(null, { folder: null, path })).toBe(join(path, 'tofu'));
});

test.each([
  [
    '1.12.5',
    `OpenTofu 1.12.5 is not on this agent (the one on the PATH is 1.12.6): put it in ${folder}/opentofu/1.12.5/tofu, or on the PATH`,
  ],
  ['../opentofu/1.9.0', 'is not on this agent'],
])('one that is not here is said: %s', async (version, text) => {
  await expect(findEngine({ kind: 'opentofu', version }, { folder, path })).rejects.toThrow(text);
});

test('all that are here are told', async () => {
  const all = await enginesHere({ folder, path });
  expect(all.map(({ kind, version }) => `${kind} ${version}`)).toEqual([
    ...['opentofu 1.10.7', 'opentofu 1.10.0-rc1', 'opentofu 1.9.0', 'opentofu 1.12.6'],
  ]);
});

test('versions are in order', () => {
  const sorted = ['1.9.0', '1.10.0-rc1', '1.10.0', '1.10.0-rc10', '1.10.0-rc2', '2.0'];
  expect(sorted.toSorted((a, b) => (isNewer(a, b) ? -1 : 1))).toEqual([
    ...['2.0', '1.10.0', '1.10.0-rc10', '1.10.0-rc2', '1.10.0-rc1', '1.9.0'],
  ]);
});
