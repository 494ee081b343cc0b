import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openJournal } from '../../src/migration/index.ts';

const KEY = ['source', 'target'];

describe('the journal of an import', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lockkeeper-journal-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Returns the folder of the runs. */
  const runs = () => join(folder, readdirSync(folder)[0] ?? '');

  it('continues interrupted imports beside one whose folder cannot be opened', () => {
    const interrupted = openJournal(folder, KEY);
    interrupted.locking('ws-1');
    interrupted.close();
    mkdirSync(join(runs(), '0123456789abcdef/running.lock'), { recursive: true });
    const next = openJournal(folder, KEY);
    expect([next.isOwn(interrupted.id), next.isOwn('0123456789abcdef')]).toEqual([true, false]);
    next.unlocked('ws-1');
    next.close();
    expect(readdirSync(runs())).toEqual(['0123456789abcdef']);
  });

  it('closes after its folder was deleted', () => {
    const journal = openJournal(folder, KEY);
    rmSync(join(runs(), journal.id), { recursive: true });
    journal.close();
    expect(readdirSync(runs())).toEqual([]);
  });
});
