import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds, type TestDatabase } from '../../../../test/support/databases.ts';
import { openMigrated } from '../../../../test/support/migrated-databases.ts';
import { LINK_GRACE_MS } from '../../../lib/signed-links/index.ts';
import { createKeyring, sql } from '../../../storage/index.ts';
import { MAX_ANCESTORS } from './liveness.ts';
import { type IssuedToken, type TokenRequest, TokenService } from './token-service.ts';

const limits = { defaultTtl: 3600, maxTtl: 36_000 };
const request: TokenRequest = {
  type: 'service',
  path: 'auth/token/create',
  displayName: 'token',
  policies: ['default'],
  metadata: null,
  boundCidrs: [],
  mountId: null,
  certificate: null,
  terms: { ttl: 0, maxTtl: 0, period: 0, explicitMaxTtl: 0 },
  numUses: 0,
};
const count = sql<Record<string, never>, { count: number }>('SELECT count(*) AS count FROM token');
const addMount = sql<{ id: string }>(
  "INSERT INTO mount (id, path, type, accessor, version, config) VALUES (:id, :id, 'cert', :id, 0, '{}')",
);
/** Replaces a token with 2,500 copies of it. */
const copy = sql<{ id: string }>(
  `INSERT INTO token (id, secret_hash, accessor, path, display_name, policies, bound_cidrs, orphan, period, explicit_max_ttl,
     creation_ttl, created_at, expires_at, mount_id, parent_id)
   SELECT 'copy' || number, secret_hash, 'copy' || number, path, display_name, policies, bound_cidrs, orphan, period,
     explicit_max_ttl, creation_ttl, created_at, expires_at, mount_id, parent_id
   FROM token CROSS JOIN (
     WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 2500)
     SELECT number FROM numbers) AS numbers
   WHERE id = :id`,
);
const addEntity = sql<{ id: string }>(
  `INSERT INTO entity (id, name, metadata, disabled, created_at, updated_at) VALUES (:id, :id, '{}', 0, 0, 0)`,
);
const setDisabled = sql<{ id: string; disabled: number }>('UPDATE entity SET disabled = :disabled WHERE id = :id');
const removeMount = sql<{ id: string; at: number }>('UPDATE mount SET removed_at = :at WHERE id = :id');

describe.each(databaseKinds)('the tree of tokens, on %s', (kind) => {
  let folder: string;
  let store: TestDatabase;
  let tokens: TokenService;
  let now = 1_000_000_000_000;

  const issue = (more: Partial<TokenRequest> = {}, parent?: IssuedToken) =>
    tokens.issue({ ...request, ...more, ...(parent && { parentId: parent.token.id }) }, limits);
  const lives = async ({ text }: IssuedToken) => (await tokens.authenticate(text, '127.0.0.1')) !== undefined;
  const alive = (...issued: IssuedToken[]) => Promise.all(issued.map(lives));
  const rows = async () => Number((await store.database.one(count, {}))?.count);
  const mount = (id: string) => store.database.run(addMount, { id });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lockkeeper-'));
    store = await openMigrated(kind, 'access');
    tokens = new TokenService(store.database, await createKeyring({ file: join(folder, 'keyring.json') }), () => now);
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    now += 100_000_000;
    await tokens.sweep();
    expect(await rows()).toBe(0);
  });

  it('becomes invalid with its root at once; the sweep removes its rows', async () => {
    const root = await issue();
    const child = await issue({}, root);
    const [grandchild, sibling] = [await issue({}, child), await issue({}, root)];
    const batch = await issue({ type: 'batch' }, grandchild);
    expect(await alive(root, child, grandchild, sibling, batch)).toEqual([true, true, true, true, true]);
    await tokens.revoke(child.token);
    expect(await alive(root, child, grandchild, sibling, batch)).toEqual([true, false, false, true, false]);
    expect(await tokens.findByAccessor(grandchild.token.accessor)).toBeUndefined();
    expect(await tokens.findById(grandchild.token.id)).toBeUndefined();
    expect([await rows(), await tokens.sweep(), await tokens.sweep(), await rows()]).toEqual([3, 1, 0, 2]);
    expect(await alive(root, sibling)).toEqual([true, true]);
    await tokens.revoke(root.token);
    await tokens.sweep();
    expect(await rows()).toBe(0);
  });

  it('becomes invalid when its root expires', async () => {
    const root = await issue({ terms: { ...request.terms, ttl: 60 } });
    const child = await issue({}, root);
    const batch = await issue({ type: 'batch' }, root);
    now += 59_999;
    expect(await alive(root, child, batch)).toEqual([true, true, true]);
    now += 1;
    expect(await alive(root, child, batch)).toEqual([false, false, false]);
    expect(await tokens.sweep()).toBe(0);
    now += LINK_GRACE_MS;
    expect(await tokens.sweep()).toBe(2);
  });

  it("becomes invalid with its root's mount", async () => {
    await mount('m1');
    const root = await issue({ mountId: 'm1' });
    const child = await issue({}, root);
    const batch = await issue({ mountId: 'm1', type: 'batch' });
    const childOfBatchKind = await issue({ type: 'batch' }, root);
    expect(await alive(root, child, batch, childOfBatchKind)).toEqual([true, true, true, true]);
    await store.database.run(removeMount, { id: 'm1', at: now });
    expect(await alive(root, child, batch, childOfBatchKind)).toEqual([false, false, false, false]);
    expect(await tokens.sweep()).toBe(2);
  });

  it('splits into trees of its children when only the root is revoked', async () => {
    const root = await issue();
    const child = await issue({}, root);
    const grandchild = await issue({}, child);
    await tokens.revokeAlone(root.token);
    expect(await alive(root, child, grandchild)).toEqual([false, true, true]);
    expect(await tokens.find(child.text)).toMatchObject({ orphan: true, parentId: null });
    expect(await tokens.sweep()).toBe(0);
  });

  it('has a maximum depth, and does not grow below invalid tokens', async () => {
    let last = await issue();
    for (let depth = 0; depth < MAX_ANCESTORS; depth++) last = await issue({}, last);
    expect(await lives(last)).toBe(true);
    await expect(issue({}, last)).rejects.toThrow('a token can have at most 32 ancestors');
    await expect(issue({ type: 'batch' }, last)).rejects.toThrow('a token can have at most 32 ancestors');
    await tokens.revoke(last.token);
    await expect(issue({}, last)).rejects.toThrow('parent token not found');
    await expect(issue({ type: 'batch' }, last)).rejects.toThrow('parent token not found');
  });

  it('is unusable while its entity is disabled, and can be revoked meanwhile', async () => {
    await store.database.run(addEntity, { id: 'e1' });
    const root = await issue({ entityId: 'e1' });
    const batch = await issue({ entityId: 'e1', type: 'batch' });
    const child = await issue({ entityId: 'e1' }, root);
    const disable = (disabled: number) => store.database.run(setDisabled, { id: 'e1', disabled });
    await disable(1);
    expect(await alive(root, child, batch)).toEqual([false, false, false]);
    await tokens.revoke((await tokens.findByAccessor(child.token.accessor)) ?? batch.token);
    await disable(0);
    expect(await alive(root, child, batch)).toEqual([true, false, true]);
    await tokens.revoke(root.token);
  });

  it('of any size is removed in steps', async () => {
    const root = await issue();
    const child = await issue({}, root);
    await store.database.run(copy, { id: child.token.id });
    const grandchild = await tokens.issue({ ...request, parentId: 'copy2000' }, limits);
    await tokens.revoke(root.token);
    expect(await alive(child, grandchild)).toEqual([false, false]);
    expect(await rows()).toBe(2502);
    expect(await tokens.sweep()).toBe(2502);
  });

  it('of any size is detached from its root', async () => {
    const root = await issue();
    const child = await issue({}, root);
    await store.database.run(copy, { id: child.token.id });
    const grandchild = await tokens.issue({ ...request, parentId: 'copy2000' }, limits);
    await tokens.revokeAlone(root.token);
    expect(await alive(root, child, grandchild)).toEqual([false, true, true]);
    expect([await rows(), await tokens.sweep()]).toEqual([2502, 0]);
  });

  it('is removed completely by the paths of its roots', async () => {
    const [root, near] = [await issue({ path: 'auth/a/login' }), await issue({ path: 'auth/a-b/login' })];
    const child = await issue({}, root);
    const endless = await issue({ path: 'auth/a/login', policies: ['root'], endless: true });
    await store.database.run(copy, { id: root.token.id });
    expect(await tokens.below('auth/a/login', '', 2)).toHaveLength(2);
    await tokens.revokeBelow('auth/a');
    expect(await alive(root, child, near, endless)).toEqual([false, false, true, true]);
    expect(await rows()).toBe(3);
    expect([await tokens.sweep(), await rows()]).toEqual([1, 2]);
    await tokens.revoke(endless.token);
  });

  it('of a mount is removed step by step', async () => {
    const root = await issue({ mountId: 'm2' });
    await store.database.run(copy, { id: root.token.id });
    const steps: boolean[] = [];
    do steps.push(await tokens.removeSomeOfMount('m2'));
    while (steps.at(-1));
    expect([steps, await rows()]).toEqual([[true, true, true, true, true, false], 0]);
  });

  it('never gets a child whose parent is revoked concurrently', async () => {
    for (let round = 0; round < 3; round++) {
      const root = await issue();
      const births = Promise.allSettled(Array.from({ length: 10 }, () => issue({}, root)));
      const [born] = await Promise.all([births, tokens.revoke(root.token)]);
      const refused = born.filter((birth) => birth.status === 'rejected');
      for (const { reason } of refused) expect(reason.message).toBe('parent token not found');
      const children = born.flatMap((birth) => (birth.status === 'fulfilled' ? [birth.value] : []));
      expect(await alive(...children)).toEqual(children.map(() => false));
      await tokens.sweep();
      expect(await rows()).toBe(0);
    }
  });

  it('never issues one text twice', async () => {
    const first = await issue({ text: 'chosen' });
    await expect(issue({ text: 'chosen' })).rejects.toThrow('cannot create a token with a duplicate ID');
    expect(await lives(first)).toBe(true);
  });

  it('counts uses, and removes a used-up token', async () => {
    const token = await issue({ numUses: 2 });
    expect((await tokens.authenticate(token.text, ''))?.token.usesLeft).toBe(1);
    expect((await tokens.find(token.text))?.usesLeft).toBe(1);
    const last = await tokens.authenticate(token.text, '');
    expect(last?.token).toMatchObject({ usesLeft: 0, expiresAt: token.token.expiresAt });
    if (last) await tokens.renew(last.token, request.terms, limits, 600);
    expect([await lives(token), await tokens.findByAccessor(token.token.accessor)]).toEqual([false, undefined]);
    now += LINK_GRACE_MS;
    expect(await tokens.sweep()).toBe(1);
  });

  it('does not renew a token that was revoked or expired meanwhile', async () => {
    const token = await issue();
    now += limits.defaultTtl * 1000;
    await expect(tokens.renew(token.token, request.terms, limits, 600)).rejects.toThrow('token not found');
    expect(await lives(token)).toBe(false);
    await tokens.sweep();
  });
});
