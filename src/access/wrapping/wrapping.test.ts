import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds, type TestDatabase } from '../../../test/support/databases.ts';
import { openMigrated } from '../../../test/support/migrated-databases.ts';
import { type Keyring, sql } from '../../storage/index.ts';
import { createKeyringOf } from '../../storage/sealing.ts';
import type { WrapInfo } from '../operation/envelope.ts';
import type { Reply } from '../operation/operation.ts';
import { authReply } from '../tokens/creation/auth-block.ts';
import { rootRequest } from '../tokens/lifecycle/token-request.ts';
import { TokenService } from '../tokens/lifecycle/token-service.ts';
import { Wrapping } from './wrapping.ts';

const HOUR = 3600;
const INVALID = 'wrapping token is not valid or does not exist';
const ORIGIN = { path: 'auth/cert/certs/web' };
const limits = { defaultTtl: 24 * HOUR, maxTtl: 24 * HOUR };

const storedAnswers = sql<Record<string, never>, { token_id: string; answer: Uint8Array }>(
  'SELECT token_id, answer FROM wrapped_answer ORDER BY token_id',
);
const swap = sql<{ token_id: string; answer: Uint8Array }>(
  'UPDATE wrapped_answer SET answer = :answer WHERE token_id = :token_id',
);

describe.each(databaseKinds)('wrapping, on %s', (kind) => {
  const keyring: Keyring = createKeyringOf({
    encryption: new Map([[1, new Uint8Array(32).fill(1)]]),
    hash: new Uint8Array(32).fill(2),
  });
  let opened: TestDatabase;
  let now: number;
  let tokens: TokenService;
  let wrapping: Wrapping;

  const node = () => new Wrapping({ database: opened.database, keyring, tokens, clock: () => now, limits });
  const wrap = (reply: Reply, ttl = HOUR) => wrapping.wrap(reply, ttl, ORIGIN);
  const unwrap = async ({ token }: WrapInfo, at = wrapping) => at.unwrap(await at.holder(token));
  const answers = () => opened.database.all(storedAnswers, {});

  beforeEach(async () => {
    opened = await openMigrated(kind, 'access');
    now = 1_800_000_000_000;
    tokens = new TokenService(opened.database, keyring, () => now);
    wrapping = node();
  });
  afterEach(() => opened.close());

  it('returns the wrapped answer unchanged, once', async () => {
    const reply = { data: { certificate: 'a', nested: [1, null] }, warnings: ['beware'], flat: true };
    const wrapped = await wrap(reply);
    expect(wrapped).toEqual({
      token: expect.stringMatching(/^lks\./),
      accessor: expect.any(String),
      ttl: HOUR,
      creation_time: '2027-01-15T08:00:00.000Z',
      creation_path: 'auth/cert/certs/web',
    });
    expect(await unwrap(wrapped)).toEqual(reply);
    await expect(unwrap(wrapped)).rejects.toThrow(INVALID);
    expect(await tokens.find(wrapped.token)).toBeUndefined();
    expect(await answers()).toEqual([]);
  });

  it('returns the answer to one of many concurrent callers, on any node', async () => {
    const wrapped = await wrap({ data: { secret: 1 } });
    const nodes = [wrapping, node(), node()];
    const takers = await Promise.allSettled(Array.from({ length: 12 }, (_, i) => unwrap(wrapped, nodes[i % 3])));
    expect(takers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const taker of takers) if (taker.status === 'rejected') expect(taker.reason.message).toBe(INVALID);
  });

  it('returns the properties of a wrapping token without using it', async () => {
    const wrapped = await wrap({ data: {} }, 90);
    now += 30_000;
    for (let i = 0; i < 2; i++) {
      expect(await wrapping.lookup(await wrapping.holder(wrapped.token))).toEqual({
        creation_ttl: 90,
        creation_time: '2027-01-15T08:00:00.000Z',
        creation_path: 'auth/cert/certs/web',
      });
    }
    expect(await unwrap(wrapped)).toEqual({ data: {} });
  });

  it('names the accessor of a wrapped login token', async () => {
    const issued = await tokens.issue(rootRequest('auth/token/root'), limits);
    const login = authReply(issued, []);
    const wrapped = await wrap(login);
    expect(wrapped.wrapped_accessor).toBe(issued.token.accessor);
    expect(await unwrap(wrapped)).toEqual(login);
  });

  it('exchanges a token for one with the same lifetime, and revokes the first', async () => {
    const first = await wrap({ data: { secret: 1 } });
    now += 600_000;
    const second = await wrapping.rewrap(await wrapping.holder(first.token));
    expect(second).toMatchObject({
      ttl: HOUR,
      creation_path: 'auth/cert/certs/web',
      creation_time: '2027-01-15T08:10:00.000Z',
    });
    await expect(unwrap(first)).rejects.toThrow(INVALID);
    now += 3_599_000;
    expect(await unwrap(second)).toEqual({ data: { secret: 1 } });
  });

  it('gives the answer either to a rewrap or to an unwrap, never to both', async () => {
    const wrapped = await wrap({ data: { secret: 1 } });
    const holder = await wrapping.holder(wrapped.token);
    const [exchanged, taken] = await Promise.allSettled([wrapping.rewrap(holder), node().unwrap(holder)]);
    expect([exchanged.status, taken.status].toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await answers()).toHaveLength(exchanged.status === 'fulfilled' ? 1 : 0);
  });

  it('expires, and is then removed by the sweep', async () => {
    const wrapped = await wrap({ data: {} }, 60);
    const longer = await wrap({ data: {} }, 61);
    now += 60_000;
    await expect(unwrap(wrapped)).rejects.toThrow(INVALID);
    expect(await wrapping.sweep()).toBe(1);
    expect(await answers()).toHaveLength(1);
    expect(await unwrap(longer)).toEqual({ data: {} });
  });

  it('has a lifetime within the maximum of all tokens', async () => {
    expect((await wrap({ data: {} }, 1000 * HOUR)).ttl).toBe(24 * HOUR);
  });

  it('loses the answer when its token is revoked', async () => {
    const wrapped = await wrap({ data: {} });
    const token = await tokens.findByAccessor(wrapped.accessor);
    if (token) await tokens.revoke(token);
    await expect(unwrap(wrapped)).rejects.toThrow(INVALID);
  });

  it('refuses tokens that are not wrapping tokens', async () => {
    const root = await tokens.createRoot();
    for (const text of ['', 'x', 'lks.1111111111111111.11111111111111111111111111111111', root]) {
      await expect(wrapping.holder(text)).rejects.toThrow(INVALID);
    }
  });

  it('refuses to renew a wrapping token', async () => {
    const holder = await wrapping.holder((await wrap({ data: {} })).token);
    await expect(
      tokens.renew(holder, { ttl: HOUR, maxTtl: 0, period: 0, explicitMaxTtl: 0 }, limits, HOUR),
    ).rejects.toThrow('lease is not renewable');
  });

  it('stores answers encrypted and bound to their token', async () => {
    await wrap({ data: { secret: 'hunter2' } });
    const other = await wrap({ data: { secret: 'swordfish' } });
    const [first, second] = await answers();
    expect(Buffer.from(first?.answer ?? []).toString('latin1')).not.toContain('hunter2');
    const id = (await wrapping.holder(other.token)).id;
    const foreign = [first, second].find((row) => row?.token_id !== id);
    await opened.database.run(swap, { token_id: id, answer: foreign?.answer ?? new Uint8Array() });
    await expect(unwrap(other)).rejects.toThrow('belongs to something else');
  });
});
