import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type AdapterBench, errorOf, providerOf, startBench } from '../../../../test/support/vcs/adapter-bench.ts';
import { ADAPTERS } from '../../../../test/support/vcs/adapters.ts';
import { broken, json, type Misbehaviour, page } from '../../../../test/support/vcs/misbehaviour.ts';
import { ProviderError } from './provider-error.ts';

const SECRET = 'hook-secret-1';

describe.each(ADAPTERS)('the adapter of $serviceProvider, at a provider that misbehaves', (adapter) => {
  const provider = providerOf(adapter);
  const { pulls, hooks, reports } = provider;
  let bench: AdapterBench;
  const access = () => bench.access();
  const ref = () => bench.ref;

  beforeAll(async () => {
    bench = await startBench(adapter);
  });
  afterEach(() => {
    bench.fake.server.misbehave = undefined;
  });
  afterAll(() => bench.fake.stop());

  const wanted = { url: 'https://lockkeeper.example/hook', secret: SECRET };
  const status = { commitId: 'c'.repeat(40), ref: null, context: 'a/b', description: '', url: 'https://a.example' };
  /** Functions of the port; `reads`: the function returns what the provider sends. */
  const calls: readonly (readonly [name: string, reads: boolean, call: () => Promise<unknown>])[] = [
    ['whoAmI', true, () => provider.whoAmI(access())],
    ['repositories', true, () => provider.repositories(access(), { search: '', page: 1 })],
    ['repository by id', true, () => provider.repository(access(), ref())],
    ['repository by name', true, () => provider.repository(access(), { identifier: ref().identifier })],
    ['pulls.open', true, () => pulls.open(access(), ref(), undefined)],
    ['pulls.one', true, () => pulls.one(access(), ref(), 1)],
    ['hooks.ensure', true, () => hooks.ensure(access(), ref(), { ...wanted, hookId: null })],
    ['hooks.remove', false, () => hooks.remove(access(), ref(), '1')],
    ['reports.status', false, () => reports.status(access(), ref(), { ...status, state: 'success' })],
    ['reports.comment', true, () => reports.comment(access(), ref(), { number: 1, commentId: null, text: 'a' })],
  ];
  const withToken =
    (code: number, headers?: Record<string, string>): Misbehaviour =>
    (...parts) =>
      json(code, { message: `no: ${bench.fake.token} ${SECRET}` }, headers)(...parts);
  const cases = [
    ['401', withToken(401), 'refused'],
    ['403', withToken(403), 'forbidden'],
    ['429', withToken(429, { 'retry-after': '7' }), 'limited'],
    ['400', withToken(400), 'rejected'],
    ['500', withToken(500), 'unreachable'],
    ['a web page', page(), 'invalid'],
    ['a broken connection', broken, 'unreachable'],
  ] as const;

  it.each(cases)(
    'answers %s: each function fails with its kind, and repeats no secret',
    async (what, misbehaviour, kind) => {
      bench.fake.server.misbehave = misbehaviour;
      for (const [name, , call] of calls) {
        const result = await call().catch(errorOf);
        if (what === '403' && name === 'whoAmI' && adapter.hasNamelessAccounts) {
          expect(result).toEqual({ name: '', scopes: [] });
          continue;
        }
        expect([name, (result as ProviderError)?.kind]).toEqual([name, kind]);
        expect((result as ProviderError).message).not.toMatch(new RegExp(`${bench.fake.token}|${SECRET}`));
        if (kind === 'limited') expect(Math.round(((result as ProviderError).retryAfterMs ?? 0) / 1000)).toBe(7);
      }
    },
  );

  it.each([['text'], [7], [{ id: {}, values: 1, value: 1, data: 1, uuid: 1 }]])('sends %j: invalid', async (body) => {
    bench.fake.server.misbehave = json(200, body);
    for (const [name, reads, call] of calls) {
      const result = await call().catch(errorOf);
      if (reads || result !== undefined) expect([name, (result as ProviderError)?.kind]).toEqual([name, 'invalid']);
    }
  });

  it('knows nothing: no function breaks', async () => {
    bench.fake.server.misbehave = json(404, { message: 'Not Found' });
    const seen = await Promise.all(calls.map(async ([name, , call]) => [name, await call().catch(errorOf)] as const));
    const failed = new Map(
      seen.flatMap(([name, result]) => (result instanceof ProviderError ? [[name, result.kind]] : [])),
    );
    const absent = seen.flatMap(([name, result]) => (result === undefined ? [name] : []));
    expect(absent).toEqual(
      ['repository by id', 'repository by name', 'pulls.one', 'hooks.remove'].filter((name) => !failed.has(name)),
    );
    for (const kind of failed.values()) expect(['rejected', 'invalid']).toContain(kind);
    expect(absent.length + failed.size).toBe(calls.length);
  });
});
