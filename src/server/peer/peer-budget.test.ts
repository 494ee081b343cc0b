import { describe, expect, test } from 'vitest';
import { AppError } from '../../lib/errors.ts';
import { KNOWN_FOR_MS, MAX_ADDRESSES, MEMORY_OF_BYTE, PeerBudget } from './peer-budget.ts';

const HOUR = 3600;
/** Certificates that cost one unit. */
const BYTES = 1000;
const unit = BYTES * MEMORY_OF_BYTE;

/** An IP address may use 10 units, all unknown addresses 40, and known addresses 40 more. */
function budget() {
  const clock = { now: 1_000_000 };
  const made = new PeerBudget(() => clock.now, { ofAddress: 10 * unit, ofAll: 80 * unit });
  return {
    made,
    admits: (address: string, units = 1) => made.wait(address, units * BYTES) === 0,
    /** Charges as many unknown addresses as needed. */
    spend: (units: number) => {
      for (let n = 0; n < units; n++) made.charge(`198.51.100.${n}`, BYTES);
    },
    pass: (seconds: number) => {
      clock.now += seconds * 1000;
    },
  };
}

describe('the budget for presented intermediates', () => {
  test('is spent by what they may take, never goes into debt, and is earned back within an hour', () => {
    const { made, admits, pass } = budget();
    expect(admits('192.0.2.1', 11)).toBe(false);
    made.charge('192.0.2.1', 8 * BYTES);
    expect(admits('192.0.2.1', 2)).toBe(true);
    expect(admits('192.0.2.1', 3)).toBe(false);
    made.charge('192.0.2.1', 2 * BYTES);
    expect(made.wait('192.0.2.1', BYTES)).toBe(HOUR / 10);
    pass(HOUR / 10);
    expect(admits('192.0.2.1')).toBe(true);
    pass(24 * HOUR);
    expect(admits('192.0.2.1', 10)).toBe(true);
    expect(admits('192.0.2.1', 11)).toBe(false);
  });

  test('is each address its own, until strangers together have spent their share', () => {
    const { made, admits, spend, pass } = budget();
    made.charge('192.0.2.1', 10 * BYTES);
    expect([admits('192.0.2.1'), admits('192.0.2.2')]).toEqual([false, true]);
    spend(30);
    expect(admits('192.0.2.2')).toBe(false);
    pass(HOUR / 40);
    expect(admits('192.0.2.2')).toBe(true);
  });

  test('has a share that only addresses with a good login draw on, for a day', () => {
    const { made, admits, spend, pass } = budget();
    made.admitted('192.0.2.1');
    spend(40);
    expect([admits('192.0.2.1'), admits('192.0.2.2')]).toEqual([true, false]);
    made.charge('192.0.2.1', BYTES);
    expect(made.wait('192.0.2.2', BYTES)).toBe(HOUR / 40);
    pass(KNOWN_FOR_MS / 1000);
    spend(40);
    expect(admits('192.0.2.1')).toBe(false);
  });

  test('takes nothing from an address whose chain led to a role, as often as that can be paid for', () => {
    const { made, admits } = budget();
    for (let n = 0; n < 80; n++) made.charge('192.0.2.1', BYTES).proved(BYTES);
    expect(admits('192.0.2.1', 10)).toBe(true);
    for (let n = 0; n < 10; n++) made.charge('192.0.2.1', BYTES).proved(BYTES);
    expect(admits('192.0.2.1')).toBe(false);
    expect(made.metrics()).toEqual({ chains: { proven: 80, charged: 10, refused: 0 }, bytes: 90 * unit });
  });

  test('takes what was junk beside a chain that led to a role', () => {
    const { made, admits } = budget();
    made.charge('192.0.2.1', 10 * BYTES).proved(BYTES);
    expect([admits('192.0.2.1', 1), admits('192.0.2.1', 2)]).toEqual([true, false]);
  });

  test('keeps a bounded number of addresses', () => {
    const { made, admits } = budget();
    made.charge('192.0.2.1', 10 * BYTES);
    for (let n = 1; n < MAX_ADDRESSES; n++) made.charge(`address ${n}`, 0);
    expect(admits('192.0.2.1')).toBe(false);
    for (let n = 0; n < MAX_ADDRESSES; n++) made.charge(`address ${n}`, 0);
    expect(admits('192.0.2.1')).toBe(true);
  });

  test('says when to come again', () => {
    const { made } = budget();
    expect(() => made.refuse(17)).toThrow(AppError);
    expect(() => made.refuse(17)).toThrow(expect.objectContaining({ kind: 'too-many-requests', retryAfter: 17 }));
    expect(made.metrics().chains.refused).toBe(2);
  });

  test('knows an IPv6 client by its network', () => {
    const { made, admits } = budget();
    made.charge('2001:db8::1', 10 * BYTES);
    expect(admits('2001:db8:0:0:ffff::2')).toBe(false);
    expect(admits('2001:db8:0:1::1')).toBe(true);
    expect(admits('::1')).toBe(true);
  });
});
