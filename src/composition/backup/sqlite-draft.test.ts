import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { draftOfSqlite } from './sqlite-draft.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lockkeeper-draft-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const open = () => draftOfSqlite({ type: 'sqlite', directory }, pino({ level: 'silent' }));
const put = (name: string) => writeFileSync(join(directory, name), name);

describe('the folder that a backup is restored into', () => {
  it.each(['access.db', 'workspaces.db', 'access.db-wal', 'workspaces.db-wal'])('has no %s', async (name) => {
    put(name);
    await expect(open()).rejects.toThrow(`has databases already (${name})`);
    await expect(open()).rejects.toThrow('with its own folder or bucket for blobs');
    expect(readFileSync(join(directory, name), 'utf8')).toBe(name);
  });

  it('keeps a database that is not of a restore, whatever one that was killed has left', async () => {
    mkdirSync(join(directory, 'restoring'));
    for (const name of ['restoring/access.db', 'restoring/workspaces.db', 'workspaces.db']) put(name);
    await expect(open()).rejects.toThrow('has databases already (workspaces.db)');
    expect(readFileSync(join(directory, 'workspaces.db'), 'utf8')).toBe('workspaces.db');
  });

  it('is done again after one that was ended between its two databases', async () => {
    mkdirSync(join(directory, 'restoring'));
    for (const name of ['restoring/access.db', 'workspaces.db']) put(name);
    const draft = await open();
    expect(existsSync(join(directory, 'workspaces.db'))).toBe(false);
    await draft.discard();
  });
});
