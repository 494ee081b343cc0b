import { describe, expect, it } from 'vitest';
import type { Finding } from '../lib/finding/finding.ts';
import { outside, skewFinding } from '../lib/finding/skew.ts';
import { queueFinding } from './agents/agents.ts';
import { freeFinding, sizeText } from './disk/space.ts';
import { listFinding } from './revocation/revocation.ts';
import { memoryFinding } from './system/memory.ts';

const MIB = 1_048_576;
const GIB = 1024 * MIB;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const said = ({ status, found }: Finding) => `${status}: ${found}`;

describe('evaluation of measured values', () => {
  it.each([
    [100 * GIB, 50 * GIB, 'success'],
    [100 * GIB, 4 * GIB, 'warning'],
    // Ten percent of a large disk are a lot.
    [4096 * GIB, 200 * GIB, 'success'],
    [10 * MIB, 5 * MIB, 'success'],
    [100 * GIB, 8 * MIB, 'failure'],
    [16 * MIB, 0, 'failure'],
    [0, 0, 'success'],
  ])('a disk of %d with %d bytes free: %s', (total, free, status) => {
    expect(freeFinding({ total, free }, '/').status).toBe(status);
  });

  it('formats sizes', () => {
    expect([0, 1023, 1024, 1.5 * MIB, 20 * GIB].map(sizeText)).toEqual([
      ...['0 bytes', '1023 bytes', '1.0 KiB', '1.5 MiB', '20 GiB'],
    ]);
  });

  it('accepts a clock skew of seconds', () => {
    expect([outside(5, 1, 9), outside(12, 1, 9), outside(0, 1, 9)]).toEqual([0, 3, 1]);
    expect([0, 1_900, 2_000, 29_000, 31_000].map((skew) => skewFinding(skew, 'the database').status)).toEqual([
      ...['success', 'success', 'warning', 'warning', 'failure'],
    ]);
  });

  const work = { agents: 2, idle: 1, waiting: 3, oldest: 0, unattended: 0 };
  it.each([
    [{ ...work, agents: 0, idle: 0, waiting: 0 }, 'none', MINUTE, 'skipped: this server has no agents'],
    [work, 'agents', MINUTE, 'success: 2 agents, 1 idle, 3 runs wait'],
    [work, 'agents', 7 * MINUTE, 'warning: 2 agents, 1 idle, 3 runs wait, the first for 7 min'],
    [
      { ...work, waiting: 1, unattended: 1 },
      'none',
      MINUTE,
      'warning: 2 agents, 1 idle, 1 run waits, 1 of them without an agent',
    ],
  ] as const)('runs that wait for agents: %j %s', (facts, execution, now, expected) => {
    expect(said(queueFinding(facts, execution, now))).toBe(expected);
  });

  const list = {
    ...{ mount: 'cert', name: 'x', url: 'http://ca/x.crl', fetchedAt: 0, nextUpdate: 24 * HOUR },
    ...{ failures: 0, lastError: null, refusesStale: false },
  };
  it.each([
    [list, HOUR, 'success: 1.0 h old, the next one is due in 23.0 h'],
    [{ ...list, nextUpdate: undefined }, 72 * HOUR, 'success: 3 d old, without a next update'],
    [{ ...list, failures: 3 }, HOUR, 'warning: 1.0 h old, 3 fetches have failed since'],
    [list, 26 * HOUR, 'warning: overdue for 2.0 h'],
    [{ ...list, refusesStale: true }, 26 * HOUR, 'failure: overdue for 2.0 h: certificates of its issuer are refused'],
  ])('a CRL: %j', (facts, now, expected) => {
    expect(said(listFinding(facts, now))).toBe(expected);
  });

  it.each([
    [{ limit: GIB, used: 300 * MIB, killed: 0 }, 1, 'success: 300 MiB of 1.0 GiB in use'],
    [{ limit: GIB, used: 1000 * MIB, killed: 0 }, 1, 'warning: 1000 MiB of 1.0 GiB in use'],
    [
      { limit: GIB, used: 300 * MIB, killed: 2 },
      1,
      'warning: 300 MiB of 1.0 GiB in use, 2 processes were killed because memory ran out',
    ],
    [{ limit: GIB, used: 300 * MIB, killed: 0 }, 8, 'failure: 300 MiB of 1.0 GiB in use'],
  ])('a control group: %j of %d', (group, workers, expected) => {
    expect(said(memoryFinding(group, workers))).toBe(expected);
  });
});
