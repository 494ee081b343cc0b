import { describe, expect, test } from 'vitest';
import { parseSearch, writeSearch } from '../../shell/search.ts';
import { commandOf, queryOf, readFilters } from './filters.ts';

const statuses = { waits: ['planned'], running: ['planning', 'applying'], errored: ['errored'] };

describe('filters of the workspace list', () => {
  test('what an address says is what it says again', () => {
    const search =
      '?name=net*-prod&tags=network,env:prod&project=prj-1&mode=remote&engine=opentofu&columns=mode&locked=yes&status=waits&sort=-name';
    expect(writeSearch({ ...readFilters(parseSearch(search)) })).toBe(search);
  });

  test('whatever is no filter is left out', () => {
    expect(readFilters(parseSearch('?name=&status=gone&sort=id&token=x'))).toEqual({});
    expect(readFilters({ name: 7, tags: ['a'] })).toEqual({});
    expect(writeSearch({ ...readFilters(parseSearch('?sort=-latest-change-at')) })).toBe('');
  });

  test('they are asked for in the words of the API', () => {
    expect(queryOf({}, statuses)).toEqual({ sort: '-latest-change-at' });
    expect(queryOf({ name: 'net', status: 'running', sort: 'name' }, statuses)).toEqual({
      'search[name]': 'net',
      'filter[current-run][status]': 'planning,applying',
      sort: 'name',
    });
    expect(queryOf({ name: 'net*', without: 'old' }, statuses)).toMatchObject({
      'search[wildcard-name]': 'net*',
      'search[exclude-tags]': 'old',
    });
    expect(queryOf({ locked: 'no', mode: 'local', engine: 'terraform', columns: 'mode' }, statuses)).toEqual({
      'filter[locked]': 'false',
      'filter[execution-mode]': 'local',
      'filter[engine]': 'terraform',
      sort: '-latest-change-at',
    });
  });

  test('the command does the same, or there is none', () => {
    expect(commandOf('acme', { name: 'a b', sort: 'name' })).toBe(
      "lockkeeper workspace list --organization acme --search 'a b'",
    );
    expect(commandOf('acme', { name: 'net*' })).toBeUndefined();
    expect(commandOf('acme', { status: 'waits' })).toBeUndefined();
  });
});
