import { expect, test } from 'vitest';
import { parseExactJson } from '../exact-json/exact-json.ts';
import { attributesOf, countsOf, readPlan } from './plan.ts';

const resource = (address: string, actions: readonly string[], more: object = {}, change: object = {}) => ({
  ...{ address, mode: 'managed', change: { actions, ...change } },
  ...more,
});

test('a plan lists changes by resource and counts unchanged resources', () => {
  const plan = readPlan({
    resource_changes: [
      resource('a.one', ['create']),
      resource('a.two', ['update']),
      resource('a.three', ['delete', 'create'], { action_reason: 'replace_because_cannot_update' }),
      resource('a.four', ['delete'], { action_reason: 'something_new' }),
      resource('a.five', ['no-op']),
      resource('a.six', ['no-op'], { previous_address: 'a.old' }),
      resource('a.seven', ['no-op'], {}, { importing: { id: 'x-7' } }),
      resource('data.a.eight', ['read'], { mode: 'data' }),
      resource('a.nine', ['forget']),
    ],
    resource_drift: [resource('a.one', ['update']), resource('a.two', ['no-op'])],
    output_changes: { address: { actions: ['create'], after: 'x' }, other: { actions: ['no-op'] } },
  });
  expect(plan.resources.map(({ address, operation, note }) => [address, operation, note])).toEqual([
    ['a.one', 'add', ''],
    ['a.two', 'change', ''],
    ['a.three', 'replace', 'cannot be changed in place'],
    ['a.four', 'destroy', 'something new'],
    ['a.six', 'move', 'was a.old'],
    ['a.seven', 'import', 'imported with ID x-7'],
    ['data.a.eight', 'read', ''],
    ['a.nine', 'forget', ''],
  ]);
  expect([plan.unchanged, plan.drift.length, plan.outputs.map(({ address }) => address)]).toEqual([1, 1, ['address']]);
  expect(countsOf(plan.resources)).toEqual([
    ['add', 1],
    ['change', 1],
    ['replace', 1],
    ['destroy', 1],
    ['import', 1],
    ['move', 1],
    ['forget', 1],
    ['read', 1],
  ]);
});

test.each([null, 'x', [], {}, { resource_changes: 1 }])('a document that is no plan is refused: %j', (json) => {
  expect(() => readPlan(json)).toThrow('is not a plan');
});

test('attributes are listed by path with old and new value, and unchanged ones are counted', () => {
  const { changed, unchanged } = attributesOf({
    before: { name: 'a', size: 1, tags: { owner: 'x', team: 't' }, list: ['a'], rule: [{ port: 1, to: 2 }], gone: 'g' },
    after: { name: 'a', size: 2, tags: { owner: 'y', team: 't' }, list: ['a', 'b'], rule: [{ port: 3, to: 2 }] },
    after_unknown: { id: true },
  });
  expect(changed.map(({ name, before, after, is }) => [name, before, after, is])).toEqual([
    ['size', '1', '2', 'plain'],
    ['tags.owner', '"x"', '"y"', 'plain'],
    ['list', '["a"]', '["a","b"]', 'plain'],
    ['rule[0].port', '1', '3', 'plain'],
    ['gone', '"g"', undefined, 'plain'],
    ['id', undefined, 'known after apply', 'unknown'],
  ]);
  expect(unchanged).toBe(3);
});

test('a new resource shows its attributes without empty ones', () => {
  const { changed } = attributesOf({ before: null, after: { a: 'x', none: null, list: [], n: 0, off: false } });
  expect(changed.map(({ name, before, after }) => [name, before, after])).toEqual([
    ['a', undefined, '"x"'],
    ['n', undefined, '0'],
    ['off', undefined, 'false'],
  ]);
});

test('a value that is sensitive on one side is hidden on both, whole or in part', () => {
  const { changed } = attributesOf({
    before: { password: '(sensitive)', deep: [{ key: 'secret-1', open: 1 }], all: { a: 1 } },
    after: { password: '(sensitive, changed)', deep: [{ key: 'secret-2', open: 2 }], all: { a: 2 } },
    before_sensitive: { deep: [{ key: true }] },
    after_sensitive: { password: true, all: true },
  });
  expect(JSON.stringify(changed)).not.toContain('secret-');
  expect(changed.map(({ name, before, after, is }) => [name, before, after, is])).toEqual([
    ['password', '(sensitive)', '(sensitive)', 'sensitive'],
    ['deep[0].key', '(sensitive)', '(sensitive)', 'sensitive'],
    ['deep[0].open', '1', '2', 'plain'],
    ['all', '(sensitive)', '(sensitive)', 'sensitive'],
  ]);
});

test('an output is one value', () => {
  expect(attributesOf({ before: 'a', after: 'b' }).changed).toEqual([
    { name: '', before: '"a"', after: '"b"', is: 'plain' },
  ]);
});

test('names in a plan cannot reach prototypes', () => {
  const after = JSON.parse('{"__proto__": {"x": 1}, "constructor": "c"}');
  expect(attributesOf({ before: {}, after }).changed.map(({ name }) => name)).toEqual(['__proto__.x', 'constructor']);
});

test('numbers are shown and compared as the engine wrote them', () => {
  const side = (id: string) =>
    parseExactJson(`{"id": ${id}, "sizes": [${id}], "same": 1.0, "part": {"ratio": 0.${id}}}`);
  const { changed, unchanged } = attributesOf({ before: side('9007199254740992'), after: side('9007199254740993') });
  expect(changed.map(({ name, before, after }) => [name, before, after])).toEqual([
    ['id', '9007199254740992', '9007199254740993'],
    ['sizes', '[9007199254740992]', '[9007199254740993]'],
    ['part.ratio', '0.9007199254740992', '0.9007199254740993'],
  ]);
  expect(unchanged).toBe(1);
});
