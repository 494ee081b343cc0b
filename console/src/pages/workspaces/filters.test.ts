import { describe, expect, test } from 'vitest';
import { parseSearch, writeSearch } from '../../shell/search.ts';
import { commandOf, queryOf, readFilters } from './filters.ts';

const statuses = { waits: ['planned'], running: ['planning', 'applying'], errored: ['errored'] };

describe('filters of the workspace list', () => {
  test('filters survive writing to the URL and reading from it', () => {
    const search =
      '?name=net*-prod&tags=network,env:prod&project=prj-1&mode=remote&engine=opentofu&columns=mode&locked=yes&status=waits&sort=-name';
    expect(writeSearch({ ...readFilters(parseSearch(search)) })).toBe(search);
  });

  test('unknown parameters are ignored', () => {
    expect(readFilters(parseSearch('?name=&status=gone&sort=id&token=x'))).toEqual({});
    expect(readFilters({ name: 7, tags: ['a'] })).toEqual({});
    expect(writeSearch({ ...readFilters(parseSearch('?sort=-latest-change-at')) })).toBe('');
  });

  test('filters become query parameters of the API', () => {
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

  test('the command has the same filters, or there is no command', () => {
    expect(commandOf('acme', { name: 'a b', sort: 'name' })).toBe(
      "lockkeeper workspace list --organization acme --search 'a b'",
    );
    expect(commandOf('acme', { name: 'net*' })).toBeUndefined();
    expect(commandOf('acme', { status: 'waits' })).toBeUndefined();
  });
});
