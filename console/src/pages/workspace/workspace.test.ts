import { expect, test } from 'vitest';
import { permissionsInWords } from './permissions.ts';
import { resourceTypes } from './resource-types.ts';

test('given and missing permissions are listed', () => {
  expect(permissionsInWords({ 'can-read-run': true, 'can-lock': true }).may).toBe('read runs, lock and unlock');
  expect(permissionsInWords({}).may).toBe('');
  expect(permissionsInWords({ 'can-destroy': true }).mayNot).not.toContain('delete');
});

test('the most frequent types of all modules come first, the others in one line', () => {
  const counted = (type: string, count: number) => ({ type, count });
  expect(resourceTypes([counted('a', 1), counted('b', 2), counted('a', 3)])).toEqual([
    counted('a', 4),
    counted('b', 2),
  ]);
  const many = Array.from({ length: 8 }, (_, index) => counted(`type-${index}`, 10 - index));
  expect(resourceTypes(many).at(-1)).toEqual({ type: '2 other types', count: 7, isRest: true });
  expect(resourceTypes(many.slice(0, 7)).at(-1)).toMatchObject({ type: '1 other type', count: 4 });
  expect(resourceTypes([])).toEqual([]);
});
