import { describe, expect, test } from 'vitest';
import { AppError } from '../lib/errors.ts';
import { PeerBudget } from './peer-budget.ts';

function budget() {
  const clock = { now: 1_000_000 };
  const made = new PeerBudget(() => clock.now);
  const admits = (address: string) => {
    try {
      made.admit(address);
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(AppError);
      expect(error).toMatchObject({ kind: 'too-many-requests' });
      return false;
    }
  };
  return { made, admits, wait: (seconds: number) => (clock.now += seconds * 1_000) };
}

describe('the budget for presented intermediates', () => {
  test('is spent by certificate, goes into debt, and is earned back', () => {
    const { made, admits, wait } = budget();
    made.charge('192.0.2.1', 59);
    expect(admits('192.0.2.1')).toBe(true);
    made.charge('192.0.2.1', 11);
    expect(admits('192.0.2.1')).toBe(false);
    wait(20);
    expect(admits('192.0.2.1')).toBe(false);
    wait(1);
    expect(admits('192.0.2.1')).toBe(true);
  });

  test('is each address its own, until everybody together has spent too much', () => {
    const { made, admits, wait } = budget();
    made.charge('192.0.2.1', 100);
    expect(admits('192.0.2.2')).toBe(true);
    for (let i = 0; i < 10; i++) made.charge(`198.51.100.${i}`, 50);
    expect(admits('192.0.2.3')).toBe(false);
    wait(1);
    expect(admits('192.0.2.3')).toBe(true);
    expect(admits('192.0.2.1')).toBe(false);
  });

  test('is never more than the bucket holds, however long nothing was spent', () => {
    const { made, admits, wait } = budget();
    wait(86_400);
    made.charge('192.0.2.1', 60);
    expect(admits('192.0.2.1')).toBe(false);
  });

  test('knows an IPv6 client by its network', () => {
    const { made, admits } = budget();
    made.charge('2001:db8::1', 60);
    expect(admits('2001:db8:0:0:ffff::2')).toBe(false);
    expect(admits('2001:db8:0:1::1')).toBe(true);
    expect(admits('::1')).toBe(true);
  });
});
