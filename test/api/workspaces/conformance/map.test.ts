import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** A reader finds the test of each rule on one page. */
test('every test of this folder is on the map of conformance', () => {
  const map = readFileSync(new URL('../../../../docs/reference/conformance-workspaces.md', import.meta.url), 'utf8');
  const files = readdirSync(new URL('.', import.meta.url)).filter((file) => file.endsWith('.test.ts'));
  const others = files.filter((file) => file !== 'map.test.ts');
  expect(others.filter((file) => !map.includes(`/conformance/${file})`))).toEqual([]);
});
