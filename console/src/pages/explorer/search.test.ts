import { expect, test } from 'vitest';
import { conditionsIn, queryOf, readExplorerSearch, whereOf } from './search.ts';

const CONDITIONS = [
  { field: 'workspace_name', operator: 'contains', value: 'a b & "c"' },
  { field: 'last_applied_at', operator: 'is_empty', value: '' },
];

test('conditions survive the URL', () => {
  const where = whereOf(CONDITIONS) ?? '';
  expect(conditionsIn(readExplorerSearch({ where }))).toEqual(CONDITIONS);
  expect(whereOf([])).toBeUndefined();
});

test('the query has the conditions, and only columns that the view type has', () => {
  const search = readExplorerSearch({
    type: 'providers',
    fields: 'version,color,name',
    where: 'name is aws',
    page: 'x',
  });
  expect(queryOf(search)).toEqual({ type: 'providers', fields: 'version,name', 'filter[0][name][is][0]': 'aws' });
  expect(search.page).toBeUndefined();
  expect(queryOf(readExplorerSearch({ type: 'colors' })).type).toBe('workspaces');
});
