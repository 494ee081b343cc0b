import { describe, expect, test } from 'vitest';
import { chambersOf, type Way } from './chambers.ts';
import { lineOf, readRunSearch } from './search.ts';

const NOW = Date.parse('2026-11-23T14:20:00Z');
const at = (minute: string) => `2026-11-23T14:${minute}Z`;
const PLANNED = { 'started-at': at('09:18'), 'finished-at': at('10:02') };
const BASE: Way = {
  ...{ status: 'pending', createdAt: at('09:12'), isPlanOnly: false, plan: {}, apply: {} },
  ...{ confirmedAt: undefined, confirmedBy: undefined, endedAt: undefined, waitingFor: null, position: 0 },
};
const told = (way: Partial<Way>) =>
  chambersOf({ ...BASE, ...way }, NOW).map(({ label, level, note }) => `${label} ${level} ${note}`.trim());

describe('the progress of a run', () => {
  test('waits in the queue', () => {
    expect(told({ position: 3 })[0]).toBe('Queued here position 3 in the queue');
    expect(told({ position: 3, waitingFor: 'no agent is there' })[0]).toBe('Queued here no agent is there');
  });

  test('is planned', () => {
    const plan = { 'started-at': at('19:18') };
    expect(told({ status: 'planning', plan })).toEqual([
      ...['Queued passed 14:09 UTC, waited 10 min', 'Planning here for 42 s'],
      ...['Confirm ahead', 'Apply ahead', 'Done ahead'],
    ]);
  });

  test('waits for confirmation', () => {
    expect(told({ status: 'policy_checked', plan: PLANNED }).slice(1, 4)).toEqual([
      ...['Planned passed 14:09 UTC, took 44 s', 'Confirm shut waiting for confirmation, 9 min', 'Apply ahead'],
    ]);
  });

  test('is applied', () => {
    const confirmed = { plan: PLANNED, confirmedAt: at('11:00'), confirmedBy: 'mara' };
    expect(told({ ...confirmed, status: 'apply_queued' }).slice(2)).toEqual([
      ...['Confirmed passed 14:11 UTC by mara', 'Apply queued here', 'Done ahead'],
    ]);
    const apply = { 'started-at': at('11:01'), 'finished-at': at('11:31') };
    expect(told({ ...confirmed, apply, status: 'applied', endedAt: at('11:31') }).slice(3)).toEqual([
      ...['Applied passed 14:11 UTC, took 30 s', 'Done passed 14:11 UTC'],
    ]);
    expect(told({ ...confirmed, apply: { 'started-at': at('11:01') }, status: 'errored' })[3]).toMatch(
      /^Errored failed/,
    );
  });

  test('stops where a user stops it', () => {
    expect(told({ status: 'discarded', plan: PLANNED, endedAt: at('12:00') })[2]).toBe('Discarded stopped 14:12 UTC');
    expect(told({ status: 'canceled', endedAt: at('12:00') })[0]).toBe('Canceled stopped 14:09 UTC');
    expect(told({ status: 'force_canceled', plan: { 'started-at': at('09:18') } })[1]).toMatch(
      /^Force canceled stopped/,
    );
  });

  test('ends with its plan if it is plan-only', () => {
    const finished = { plan: PLANNED, endedAt: at('10:02') };
    expect(told({ ...finished, status: 'planned_and_finished' })).toHaveLength(3);
    expect(told({ ...finished, status: 'planned_and_finished' })[2]).toBe('Finished passed 14:10 UTC');
    expect(told({ isPlanOnly: true, status: 'planning', plan: {} })[2]).toBe('Finished ahead');
  });
});

test('the URL keeps known parameters only', () => {
  expect(readRunSearch({ part: 'apply', show: 'log', operation: 'add', resource: 'x', other: '1' })).toEqual({
    ...{ part: 'apply', show: 'log', operation: 'add', resource: 'x' },
  });
  expect(readRunSearch({ part: 'x', show: 1, operation: 'toString' })).toEqual({});
  expect(['L391', 'L0', 'L', 'l3', 'L3x', ''].map(lineOf)).toEqual([391, ...Array(5).fill(undefined)]);
});
