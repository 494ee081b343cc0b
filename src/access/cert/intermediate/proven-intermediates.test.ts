import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds, type TestDatabase } from '../../../../test/support/databases.ts';
import { openMigrated } from '../../../../test/support/migrated-databases.ts';
import { type Authority, createRoot } from '../../../../test/support/pki.ts';
import { sql } from '../../../storage/index.ts';
import { AnchorSet, Certificate } from '../../../x509/index.ts';
import { INITIAL_TUNING } from '../../model/mount.ts';
import { MountStore } from '../../mounts/mount-store.ts';
import { IntermediateStore } from './intermediate-store.ts';
import { IntermediateSweep } from './intermediate-sweep.ts';
import { ProvenIntermediates } from './proven-intermediates.ts';

const HOUR = 3_600_000;
const usedAt = sql<Record<string, never>, { used_at: number }>('SELECT used_at FROM intermediate');
const spoil = sql<{ certificate: Uint8Array }>('UPDATE intermediate SET certificate = :certificate');

describe.each(databaseKinds)('proven intermediates, on %s', (kind) => {
  let opened: TestDatabase;
  let store: IntermediateStore;
  let now: number;
  const root = createRoot({ subject: 'Root' });
  const parsed = ({ der }: { der: Uint8Array }) => Certificate.parse(der);
  const report = (error: unknown) => {
    throw error;
  };
  const node = () => new ProvenIntermediates({ store, clock: () => now, report });
  const current = async (one: ProvenIntermediates) => one.current((await store.version()) ?? 0);
  const names = (one: ProvenIntermediates, below: Authority) =>
    one.above([parsed(below.issue({ subject: 'leaf' }))]).map(({ commonName }) => commonName);

  beforeEach(async () => {
    now = Date.now();
    opened = await openMigrated(kind, 'access');
    const mount = { id: 'm', path: 'cert', type: 'cert', accessor: 'a', description: '', tuning: INITIAL_TUNING };
    await new MountStore(opened.database).insert(mount);
    store = new IntermediateStore(opened.database, 'm', 1000);
  });
  afterEach(() => opened.close());

  it('are written once and read by every node', async () => {
    const above = root.issueAuthority({ subject: 'A' });
    const [one, other] = [node(), node()];
    await one.prove([parsed(above)]);
    await one.prove([parsed(above)]);
    expect(await store.version()).toBe(1);
    expect(names(other, above)).toEqual([]);
    await current(other);
    expect([names(one, above), names(other, above)]).toEqual([['A'], ['A']]);
  });

  it('are removed from every node when they expire or no longer lead to a CA', async () => {
    const gone = createRoot({ subject: 'Gone' });
    const upper = root.issueAuthority({ subject: 'Upper' });
    const lower = upper.issueAuthority({ subject: 'Lower' });
    const stray = gone.issueAuthority({ subject: 'Stray' });
    const expiring = root.issueAuthority({ subject: 'Expiring', notAfter: new Date(now + HOUR) });
    const [one, other] = [node(), node()];
    await one.prove([lower, upper, stray, stray.issueAuthority({ subject: 'Below' }), expiring].map(parsed));
    await current(other);
    expect(other.size).toBe(5);
    now += 2 * HOUR;
    const authorities = async () => AnchorSet.fromCertificates([parsed(root)]);
    const sweep = new IntermediateSweep({ intermediates: one, version: () => store.version(), authorities, report });
    await sweep.run();
    await sweep.run();
    await current(other);
    expect([one.size, other.size]).toEqual([2, 2]);
    expect(names(other, lower)).toEqual(['Lower', 'Upper']);
  });

  it('make room for new ones: the least recently used ones are removed', async () => {
    store = new IntermediateStore(opened.database, 'm', 3);
    const [used, first, second, late] = ['Used', 'First', 'Second', 'Late'].map((subject) =>
      parsed(root.issueAuthority({ subject })),
    ) as [Certificate, Certificate, Certificate, Certificate];
    const [one, other] = [node(), node()];
    for (const certificate of [used, first, second]) {
      await one.prove([certificate]);
      now += 1000;
    }
    now += 30 * HOUR;
    await one.used([used]);
    await one.prove([late]);
    for (const each of [one, other]) {
      await current(each);
      expect([used, first, second, late].map((certificate) => each.has(certificate))).toEqual([
        true,
        false,
        true,
        true,
      ]);
    }
  });

  it('record their use once a day', async () => {
    const above = parsed(root.issueAuthority({ subject: 'A' }));
    const one = node();
    await one.prove([above]);
    const first = now;
    const noted = async () => Number((await opened.database.one(usedAt, {}))?.used_at);
    now += 23 * HOUR;
    await one.used([above]);
    expect(await noted()).toBe(first);
    now += 2 * HOUR;
    await one.used([above]);
    expect(await noted()).toBe(now);
    expect(await store.version()).toBe(1);
  });

  it('are skipped if a later release cannot parse them', async () => {
    const above = root.issueAuthority({ subject: 'A' });
    await node().prove([parsed(above)]);
    await opened.database.run(spoil, { certificate: new Uint8Array([0x30, 0]) });
    const other = node();
    await current(other);
    expect(names(other, above)).toEqual([]);
  });

  it('are limited to the size of one search, nearest first, matching key ids before equal names', async () => {
    const below = root.issueAuthority({ subject: 'Lower' });
    const namesakes = Array.from({ length: 120 }, () => parsed(root.issueAuthority({ subject: 'Lower' })));
    const one = node();
    await one.prove([parsed(below), ...namesakes]);
    const found = one.above([parsed(below.issue({ subject: 'leaf' }))]);
    expect(found).toHaveLength(99);
    expect(found[0]?.fingerprint).toBe(parsed(below).fingerprint);
  });
});
