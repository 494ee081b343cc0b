import { expect, test } from 'vitest';
import { rowsOf, type Variable } from './rows.ts';

const variable = (id: string, key: string, set?: string, category = 'terraform') =>
  ({
    id,
    type: 'vars',
    attributes: { key, category, value: '', sensitive: false, hcl: false },
    relationships: set === undefined ? {} : { varset: { data: { type: 'varsets', id: set } } },
  }) as unknown as Variable;
const sets = [{ id: 'varset-1', attributes: { name: 'defaults' } }] as never;

test('variables of the workspace come first, with the set that overrides them, then those of sets', () => {
  const own = [variable('b', 'region'), variable('a', 'colour')];
  const effective = [variable('s', 'region', 'varset-1'), own[1] as Variable, variable('t', 'zone', 'varset-1')];
  expect(rowsOf(own, effective, sets).map(({ variable: { id }, set, hiddenBy }) => [id, set, hiddenBy])).toEqual([
    ['a', undefined, undefined],
    ['b', undefined, 'defaults'],
    ['s', 'defaults', undefined],
    ['t', 'defaults', undefined],
  ]);
});

test('an environment variable does not override a Terraform variable', () => {
  const own = [variable('a', 'region')];
  const rows = rowsOf(own, [...own, variable('e', 'region', 'varset-2', 'env')], sets);
  expect(rows.map(({ hiddenBy, set }) => [hiddenBy, set])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ]);
});
