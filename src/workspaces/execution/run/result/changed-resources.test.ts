import { describe, expect, test } from 'vitest';
import { readChangedResources } from './changed-resources.ts';

async function* pieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}
const resource = (address: unknown, actions: unknown, mode = 'managed') => ({
  ...{ address, mode },
  change: { actions, before: { address: 'no', actions: ['create'] }, after: [{ mode: 'managed' }] },
});
const plan = (...resources: unknown[]) =>
  JSON.stringify({ prior_state: { resource_changes: [resource('no', ['create'])] }, resource_changes: resources });
const read = (text: string, most = 10, size = 65_536) => readChangedResources(pieces(text, size), most);

describe('the resources that a plan changes', () => {
  const text = plan(
    resource('a.add', ['create']),
    resource('a.change', ['update']),
    resource('a.destroy', ['delete']),
    resource('a.replace', ['delete', 'create']),
    resource('a.first', ['create', 'delete']),
    resource('a.same', ['no-op']),
    resource('a.forget', ['forget']),
    resource('data.read', ['read'], 'data'),
    resource('data.create', ['create'], 'data'),
    resource(7, ['create']),
    resource('a.broken', 'create'),
    resource('a["é\u2028\\"]', ['create']),
  );
  const expected = [
    { address: 'a.add', action: 'add' },
    { address: 'a.change', action: 'change' },
    { address: 'a.destroy', action: 'destroy' },
    { address: 'a.replace', action: 'replace' },
    { address: 'a.first', action: 'replace' },
    { address: 'a["é\u2028\\"]', action: 'add' },
  ];

  test.each([1, 7, 4096])('are read in pieces of %i bytes, without values and data sources', async (size) => {
    expect(await read(text, 10, size)).toEqual({ resources: expected, isCut: false });
  });

  test('are cut', async () => {
    expect(await read(text, 2)).toEqual({ resources: expected.slice(0, 2), isCut: true });
    expect((await read(text, 6)).isCut).toBe(false);
  });

  test.each(['', '{', '[]', '{"resource_changes":{}}', '{"resource_changes":[null,[],1]}', plan()])(
    'are none in %j',
    async (broken) => expect(await read(broken)).toEqual({ resources: [], isCut: false }),
  );

  test('an address that is too long is left out', async () => {
    expect(await read(plan(resource('x'.repeat(5000), ['create']), resource('a.b', ['create'])))).toEqual({
      resources: [{ address: 'a.b', action: 'add' }],
      isCut: false,
    });
  });
});
