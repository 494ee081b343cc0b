import { describe, expect, test } from 'vitest';
import { queryOf, timeOf } from './events.ts';

const NOW = Date.parse('2026-11-27T06:41:07Z');

describe('filters of events', () => {
  test('without filters the server chooses the period', () => {
    expect(queryOf({}, NOW)).toEqual({ 'page[number]': '1', 'page[size]': '50' });
  });

  test('a period starts at a whole hour and has 30 days at most; unknown levels count as none', () => {
    expect(queryOf({ days: '1', level: 'error', connection: 'oc-1', page: '3' }, NOW)).toEqual({
      ...{ 'page[number]': '3', 'page[size]': '50', 'filter[from]': '2026-11-26T06:00:00.000Z' },
      ...{ 'filter[levels]': 'error', 'filter[oauth_client_external_ids]': 'oc-1' },
    });
    expect(queryOf({ days: '999', level: 'x' }, NOW)).toMatchObject({ 'filter[from]': '2026-10-28T06:00:00.000Z' });
  });

  test('the time of an event is converted', () => {
    expect(timeOf('2026-02-09 20:07:49.686 +0000 UTC')).toBe('2026-02-09T20:07:49.686Z');
  });
});
