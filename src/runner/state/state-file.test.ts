import { mkdirSync, mkdtempSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAX_JOB_STATE } from '../../lib/job/limits.ts';
import { readStateFile } from './state-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'state-'));
const WHOLE = '{"version":4,"serial":7,"lineage":"l","resources":[{"serial":1}]}';

function file(content: string): string {
  const path = join(folder, 'terraform.tfstate');
  writeFileSync(path, content);
  return path;
}

test('a state has its serial, lineage and bytes', async () => {
  const read = await readStateFile(file(WHOLE));
  expect(read).toEqual({ serial: 7, lineage: 'l', bytes: Buffer.from(WHOLE) });
});

test.each([
  ...[WHOLE.slice(0, -1), `${WHOLE}}`, `${WHOLE}${WHOLE}`, '[]', '{}', 'x', '{"serial":1.5,"lineage":"l"}'],
  ...['{"serial":1}', '{"serial":"1","lineage":"l"}', `{"serial":1,"lineage":"${'l'.repeat(2_000)}"}`],
  '{"serial":{"serial":1},"lineage":"l"}',
])('%s is not a complete state', async (content) => {
  expect(await readStateFile(file(content))).toBe('incomplete');
});

test('a missing or empty file has no state; links are not followed', async () => {
  expect(await readStateFile(join(folder, 'none'))).toBe('absent');
  expect(await readStateFile(file(''))).toBe('absent');
  symlinkSync(file(WHOLE), join(folder, 'link'));
  expect(await readStateFile(join(folder, 'link'))).toBe('incomplete');
  mkdirSync(join(folder, 'folder'));
  expect(await readStateFile(join(folder, 'folder'))).toBe('incomplete');
});

test('a file above the size limit is not read', async () => {
  const path = file('');
  truncateSync(path, MAX_JOB_STATE + 1);
  expect(await readStateFile(path)).toBe('too large');
});
