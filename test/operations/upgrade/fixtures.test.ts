import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Dialect } from '../../../src/storage/index.ts';
import { Site } from '../../support/machine/site.ts';
import { emptyTables, fillEmptyTables } from '../support/every-table.ts';
import { fill, shownAt, stillShown } from '../support/filled.ts';
import { allFixtures, currentFixture, type Fixture } from '../support/fixture.ts';

/**
 * One server for each released schema, as its own version left it: a backup that is restored and migrated. A change
 * that adds a migration adds a fixture: run this test with WRITE_FIXTURES=1. Existing fixtures never change.
 */
const WRITES = process.env.WRITE_FIXTURES === '1';
const kinds: readonly Dialect[] = ['sqlite', 'postgres'];

async function write(fixture: Fixture, dialect: Dialect): Promise<void> {
  const installation = new Site(dialect, { audit: '{ file: audit.log }' });
  try {
    const { root } = await installation.init();
    const filled = await installation.serve();
    const { owner, paths } = await fill(installation, filled, root);
    await filled.end('SIGTERM');
    await fillEmptyTables(installation);
    const server = await installation.serve();
    const tokens = { root, owner };
    const shown = await shownAt(server, tokens, paths);
    fixture.write({ dialect, tokens, shown }, readFileSync(join(installation.folder, 'keyring.json')));
    const { code, stderr } = await installation.run(['backup', 'create', fixture.backup]);
    expect([code, stderr]).toEqual([0, '']);
  } finally {
    await installation.remove();
  }
}

/** Fixtures that were written before each one had rows in all tables. */
const HAS_SOME_TABLES = /^0011-policy-uses\+/;
/** A backup leaves out the attempts, and a restore ends all runs, which then have no requester. */
const EMPTY_AFTER_RESTORE = ['backup_attempt', 'run_requester'];

describe.each(kinds)('the current schema on %s', (dialect) => {
  it('has a fixture', async () => {
    const fixture = currentFixture(dialect);
    if (WRITES && !fixture.exists) await write(fixture, dialect);
    expect(fixture.exists, `make ${fixture.name} with WRITE_FIXTURES=1 and commit it`).toBe(true);
  });
});

describe.each(allFixtures())('the fixture $name', (fixture) => {
  const { dialect, tokens, shown } = fixture.known;
  const installation = new Site(dialect, { audit: '{ file: audit.log }' });
  afterAll(() => installation.remove());

  it('can be restored and migrated, and gives the same answers', async () => {
    writeFileSync(join(installation.folder, 'keyring.json'), readFileSync(fixture.keyring), { mode: 0o600 });
    const verified = await installation.run(['backup', 'verify', fixture.backup]);
    expect([verified.code, verified.stderr]).toEqual([0, '']);
    const restored = await installation.run(['backup', 'restore', fixture.backup]);
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    const server = await installation.serve();
    const paths = Object.keys(shown).filter((path) => !path.endsWith('/download'));
    expect(paths.length).toBeGreaterThan(30);
    expect(await shownAt(server, tokens, paths)).toMatchObject(stillShown(shown));
    await server.end('SIGTERM');
    if (!HAS_SOME_TABLES.test(fixture.name))
      expect((await emptyTables(installation)).toSorted()).toEqual(EMPTY_AFTER_RESTORE);
  });
});
