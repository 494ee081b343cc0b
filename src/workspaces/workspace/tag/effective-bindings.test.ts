import { expect, test } from 'vitest';
import { effectiveBindings } from './effective-bindings.ts';

const own = (key: string, value: string) => ({ id: `own-${key}`, key, value });
const ofProject = (key: string, value: string) => ({ id: `prj-${key}`, key, value, projectId: 'prj-1' });
const shown = (...given: Parameters<typeof effectiveBindings>) =>
  effectiveBindings(...given).map(({ key, value, projectId }) => `${key}=${value}${projectId === null ? '' : ' ↑'}`);

test('§1.12: the bindings of workspace and project, by key, each with its origin', () => {
  expect(shown([own('b', '1')], [ofProject('a', '2'), ofProject('c', '3')], new Set())).toEqual([
    'a=2 ↑',
    'b=1',
    'c=3 ↑',
  ]);
});

test('§1.12: a value of the workspace overrides that of the project', () => {
  expect(shown([own('a', 'own')], [ofProject('a', 'project')], new Set())).toEqual(['a=own']);
});

test('§1.12: unless the project has the key and overrides of it are disabled', () => {
  const locked = new Set(['a', 'b']);
  expect(shown([own('a', 'own'), own('b', 'own')], [ofProject('a', 'project')], locked)).toEqual([
    'a=project ↑',
    'b=own',
  ]);
});
