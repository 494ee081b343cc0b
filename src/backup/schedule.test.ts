import { describe, expect, it } from 'vitest';
import { nextBackup } from './schedule.ts';

const HOUR = 3_600_000;
const at = (text: string) => Date.parse(`2026-11-24T${text}Z`);
const NOW = at('12:00:00');
const daily = { at: 2.5 * HOUR };
const whole = (text: string) => ({ startedAt: at(text), whole: 1 });
const failed = (text: string) => ({ startedAt: at(text), whole: 0 });

describe('the next backup', () => {
  it('is due at once if there was none', () => {
    expect(nextBackup({ every: HOUR }, [], NOW)).toBe(NOW);
    expect(nextBackup(daily, [], NOW)).toBe(NOW);
  });

  it('is due one interval after the last one started', () => {
    expect(nextBackup({ every: 6 * HOUR }, [whole('11:00:00')], NOW)).toBe(at('17:00:00'));
  });

  it('is due at its time of day, once a day', () => {
    expect(nextBackup(daily, [whole('01:00:00')], NOW)).toBe(at('02:30:00'));
    expect(nextBackup(daily, [whole('02:30:00')], NOW)).toBe(at('02:30:00') + 24 * HOUR);
    expect(nextBackup(daily, [whole('02:47:00')], NOW)).toBe(at('02:30:00') + 24 * HOUR);
  });

  it('is retried after a failure, with longer delays up to an hour', () => {
    const past = [whole('02:30:00')];
    expect(nextBackup(daily, [failed('02:31:00'), ...past], NOW)).toBe(at('02:32:00'));
    expect(nextBackup(daily, [failed('02:33:00'), failed('02:31:00'), ...past], NOW)).toBe(at('02:35:00'));
    const many = Array.from({ length: 20 }, () => failed('11:00:00'));
    expect(nextBackup(daily, many, NOW)).toBe(at('12:00:00'));
  });
});
