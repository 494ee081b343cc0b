import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isUpward, lineOf, tableUse } from './support/table-access.ts';

/**
 * A table belongs to the module that creates it. Other modules call a service of that module. The list has the accesses
 * that still exist, with their numbers of files. It only gets shorter, and is edited by hand: a new access needs a
 * service, and an access that is gone is removed here.
 */
const ALLOWED = readFileSync('test/golden/table-access.txt', 'utf8').trimEnd().split('\n');

describe('the tables of another module', () => {
  const { owners, accesses } = tableUse();

  it('are found', () => {
    expect(owners.size).toBeGreaterThan(130);
    expect(owners.get('run')).toBe('execution');
    expect(accesses.length).toBeGreaterThan(0);
  });

  it('are accessed only where the list allows it', () => {
    const allowed = new Map(ALLOWED.map((line) => [line.split(' ').slice(0, 3).join(' '), line]));
    const found = accesses.map((access) => ({ access, line: lineOf(access) }));
    const changed = found.filter(({ line }) => allowed.get(line.split(' ').slice(0, 3).join(' ')) !== line);
    expect(changed.map(({ access, line }) => `${line}: ${access.files.join(' ')}`)).toEqual([]);
    const lines = new Set(found.map(({ line }) => line));
    expect(
      ALLOWED.filter((line) => !lines.has(line)),
      'entries without an access: remove them',
    ).toEqual([]);
  });

  it('of a higher module are accessed nowhere else', () => {
    expect(accesses.filter(isUpward).map(lineOf)).toEqual(ALLOWED.filter((line) => line.endsWith(' upward')));
  });
});
