import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../../test/support/databases.ts';
import { SharedClock } from './shared-clock.ts';

const MINUTE = 60_000;

/** Returns whether two times are nearer to each other than to those of a clock that is a minute ahead or behind. */
const near = (a: number, b: number): boolean => Math.abs(a - b) < MINUTE / 2;

describe.each(databaseKinds)('the shared time on %s', (kind) => {
  let opened: TestDatabase;
  beforeEach(async () => {
    opened = await openTestDatabase(kind);
    vi.useFakeTimers({ toFake: ['Date'] });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await opened.close();
  });

  it.each([0, MINUTE, -MINUTE])("is that of the database, if this machine's clock is %i ms ahead", async (skew) => {
    const real = Date.now();
    vi.setSystemTime(real + skew);
    const clock = new SharedClock();
    await clock.synchronize(opened.database);
    const expected = kind === 'sqlite' ? real + skew : real;
    expect(near(clock.now(), expected)).toBe(true);
    expect(Number.isInteger(clock.now())).toBe(true);
    if (skew === 0) return;
    // The machine's clock was corrected.
    vi.setSystemTime(real);
    await clock.synchronize(opened.database);
    expect(near(clock.now(), real)).toBe(true);
  });

  it("is the machine's own time unless the database's time differs", async () => {
    const clock = new SharedClock();
    expect(clock.now()).toBe(Date.now());
  });
});
