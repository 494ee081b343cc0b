import { describe, expect, it } from 'vitest';
import { ACL_CACHE_LIMITS, AclCache } from './acl-cache.ts';
import { MAX_TOKEN_POLICIES } from './policy-names.ts';
import { policyBytes, TOKEN_POLICY_LIMITS } from './policy-set.ts';
import { POLICY_LIMITS } from './read-policy.ts';
import { PLAIN_VALUES, type TemplateIdentity } from './template.ts';

const paths = (count: number, name: string) =>
  Array.from({ length: count }, (_, i) => `path "${name}/${i}/*" { capabilities = ["read"] }\n`).join('');
const nobody = async () => undefined;
const somebody = (name: string): TemplateIdentity => ({ id: name, name, metadata: {}, aliases: {} });

/** Returns a cache over policies that a test can change, and a log of the policies that it loaded. */
function cacheOf(texts: Record<string, string>) {
  const asked: string[] = [];
  const sourceOf = async (name: string) => {
    asked.push(name);
    const text = texts[name];
    return text === undefined ? undefined : { text, allowance: PLAIN_VALUES, expiresAt: null };
  };
  return { cache: new AclCache(sourceOf, () => 0), asked };
}

describe('the ACL cache', () => {
  it('builds ACLs in slices: a small one does not wait for a large one', async () => {
    const { cache } = cacheOf({ large: paths(5000, 'l'), small: paths(5, 's') });
    const order: string[] = [];
    const note = (name: string) => cache.aclOf([name], 1, nobody).then(() => order.push(name));
    await Promise.all([note('large'), note('small')]);
    expect(order).toEqual(['small', 'large']);
  });

  it('builds an ACL once for concurrent callers', async () => {
    const { cache, asked } = cacheOf({ a: paths(500, 'a') });
    const acls = await Promise.all([1, 2, 3].map(() => cache.aclOf(['a'], 1, nobody)));
    expect(new Set(acls).size).toBe(1);
    expect(asked).toEqual(['a']);
  });

  it('does not rebuild an ACL after another policy has changed', async () => {
    const texts: Record<string, string> = { a: paths(5, 'a') };
    const { cache } = cacheOf(texts);
    const before = await cache.aclOf(['a'], 1, nobody);
    expect(await cache.aclOf(['a'], 2, nobody)).toBe(before);
    texts.a = paths(5, 'b');
    const after = await cache.aclOf(['a'], 3, nobody);
    expect([after.capabilities('a/1/x'), after.capabilities('b/1/x')]).toEqual([['deny'], ['read']]);
  });

  it('shares the common rules between entities, and applies a common deny to each of them', async () => {
    const texts = {
      common: `${paths(100, 'a')} path "own/web" { capabilities = ["deny"] } path "own/db/*" { capabilities = ["list"] }`,
      own: 'path "own/{{identity.entity.name}}" { capabilities = ["read"] } path "own/{{identity.entity.name}}/*" { capabilities = ["read"] }',
    };
    const { cache } = cacheOf(texts);
    const [web, db] = await Promise.all(
      ['web', 'db'].map((name) => cache.aclOf(['common', 'own'], 1, async () => somebody(name))),
    );
    for (const acl of [web, db]) expect(acl?.capabilities('a/99/x')).toEqual(['read']);
    expect([web?.capabilities('own/web'), web?.capabilities('own/web/x'), web?.capabilities('own/db/x')]).toEqual([
      ['deny'],
      ['read'],
      ['list'],
    ]);
    expect([db?.capabilities('own/web'), db?.capabilities('own/db'), db?.capabilities('own/db/x')]).toEqual([
      ['deny'],
      ['read'],
      ['read', 'list'],
    ]);
    const { rule } = db?.decide({ path: 'own/db/x', capability: 'read' }) ?? {};
    expect(rule).toMatchObject({ path: 'own/db/*', policies: ['common', 'own'], capabilities: ['list', 'read'] });
  });
});

it('has room for two sets of the largest policies that a token may have', () => {
  expect(policyBytes(POLICY_LIMITS) * 2).toBeLessThan(ACL_CACHE_LIMITS.policies);
  expect(policyBytes(TOKEN_POLICY_LIMITS) * 2).toBeLessThan(ACL_CACHE_LIMITS.sets);
});

describe('policies above the limits of a token', () => {
  const most = 'x'.repeat(POLICY_LIMITS.length - 20);
  const names = (count: number) => Array.from({ length: count }, (_, i) => `p${i}`);
  const full = TOKEN_POLICY_LIMITS.length / POLICY_LIMITS.length;

  it.each([
    ['characters', Object.fromEntries(names(full + 1).map((name, i) => [name, `# ${i}\n# ${most}\n`]))],
    ['paths', Object.fromEntries(names(3).map((name) => [name, paths(7000, name)]))],
  ])('in %s allow nothing, with a reason', async (what, texts) => {
    const { cache } = cacheOf({ ...texts, fine: 'path "a" { capabilities = ["read"] }' });
    const acl = await cache.aclOf([...Object.keys(texts), 'fine'], 1, nobody);
    expect(acl.decide({ path: 'a', capability: 'read' })).toMatchObject({
      allowed: false,
      reason: 'too-much-policy',
      detail: expect.stringContaining(what),
    });
    expect(acl.capabilities('a')).toEqual(['deny']);
    expect((await cache.aclOf(['fine'], 1, nobody)).capabilities('a')).toEqual(['read']);
  });

  it('are not loaded completely', async () => {
    const { cache, asked } = cacheOf(Object.fromEntries(names(100).map((name) => [name, `# ${most}\n`])));
    expect((await cache.aclOf(names(100), 1, nobody)).excess).toContain('characters');
    expect(asked.length).toBeLessThan(20);
    expect((await cache.aclOf(names(MAX_TOKEN_POLICIES + 1), 1, nobody)).excess).toContain('names');
    expect(asked.length).toBeLessThan(20);
  });
});
