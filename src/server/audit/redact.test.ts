import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redact, resourcesOf, shownPath } from './redact.ts';

const hash = (value: string) => `#${createHash('sha256').update(value).digest('hex').slice(0, 12)}`;
const shown = (value: unknown, ids = false) => redact(value, hash, ids);

describe('a value in the record', () => {
  test('is hashed, unless its name is known to be harmless', () => {
    const body = { name: 'web', token_policies: ['a', 'b'], ttl: '1h', certificate: 'PEM', password: 'hunter2' };
    expect(shown(body)).toEqual({ ...body, certificate: hash('PEM'), password: hash('hunter2') });
  });

  test('is plain when it is a number, a truth value or nothing', () => {
    const body = { count: 3, on: true, none: null, empty: '' };
    expect(shown(body)).toEqual(body);
  });

  test('is hashed wherever it looks like a token, or is long', () => {
    const tokens = ['lks.1111111111111111.secret', 'lku.x.y', 'lkb.sealed', 'hvs.CAES', 's.abcdef'];
    expect(shown(tokens.map((name) => ({ name })))).toEqual(tokens.map((name) => ({ name: hash(name) })));
    expect(shown({ [tokens[0] ?? '']: 1 })).toEqual({ [hash(tokens[0] ?? '')]: 1 });
    expect(shown({ name: 'n'.repeat(257) })).toEqual({ name: hash('n'.repeat(257)) });
  });

  test('is an id only where ids are those of resources', () => {
    expect(shown({ id: 'my-own-token', type: 'service' })).toEqual({ id: hash('my-own-token'), type: 'service' });
    expect(shown({ data: { type: 'projects', id: 'prj-1' } }, true)).toEqual({
      data: { type: 'projects', id: 'prj-1' },
    });
    expect(shown({ id: 'lku.abc.def' }, true)).toEqual({ id: hash('lku.abc.def') });
  });

  test('is bounded in length, depth and number', () => {
    expect(shown({ keys: Array.from({ length: 3_000 }, (_, i) => `k${i}`) })).toEqual({ keys: { count: 3_000 } });
    let deep: unknown = 'secret';
    for (let i = 0; i < 30; i++) deep = { deep };
    expect(JSON.stringify(shown(deep))).toMatch(/^(\{"deep":)+"…"\}+$/);
    const wide = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`k${i}`, 'secret']));
    expect(Object.keys(shown(wide) as object).length).toBeLessThan(202);
    expect(shown({ ['x'.repeat(65)]: 1 })).toEqual({ [hash('x'.repeat(65))]: 1 });
  });

  test('of bytes is their length and hash, and of a stream nothing', () => {
    expect(shown(Buffer.from('state'))).toEqual({ bytes: 5, hash: hash('state') });
    expect(shown(Buffer.from([0xff, 0x00]))).toEqual({ bytes: 2, hash: hash('/wA=') });
    expect(shown(process.stdin)).toBe('…');
  });

  test('never shows a text under a name that nobody thought of', () => {
    const names = fc.stringMatching(/^x_[a-z]{1,20}$/);
    const secret = fc.string({ minLength: 8 }).map((text) => `hidden!${text}`);
    fc.assert(
      fc.property(fc.dictionary(names, fc.oneof(secret, fc.array(secret), fc.dictionary(names, secret))), (body) => {
        expect(JSON.stringify(shown(body))).not.toContain('hidden!');
      }),
    );
  });
});

describe('a path in the record', () => {
  const token = 'lks.1111111111111111.22222222222222222222222222222222';
  const shownOf = (parts: readonly string[], shown: readonly boolean[]) =>
    shownPath({ target: { parts, path: '' }, shown }, hash);

  test.each([
    [['v1', 'auth', 'x'], [true, true, true], '/v1/auth/x'],
    [['v1', 'auth', 'x', ''], [true, true, false], `/v1/auth/${hash('x')}/`],
    [['a b', 'c/d', "['x']"], [true, true, true], "/a%20b/c%2Fd/%5B'x'%5D"],
    [['files', token], [true, true], `/files/${hash(token)}`],
    [['files', `Bearer ${token}`], [true, true], `/files/${hash(`Bearer ${token}`)}`],
    [['files', 'x'.repeat(101)], [true, true], `/files/${hash('x'.repeat(101))}`],
    [['nobody', 'said'], [], `/${hash('nobody')}/${hash('said')}`],
    [[''], [], '/'],
  ])('%j, of which %j is known, is %s', (parts, shown, expected) => {
    expect(shownOf(parts, shown)).toBe(expected);
  });

  test('has an end', () => {
    const path = shownOf(Array(1_000).fill('a'), []);
    expect(path.split('/')).toHaveLength(66);
    expect(path).toMatch(/\/…$/);
  });
});

describe('a document', () => {
  test('is shown by type and id, and a list by its first elements and their number', () => {
    const one = { type: 'authentication-tokens', id: 'at-1', attributes: { token: 'lku.secret' } };
    expect(resourcesOf({ data: one })).toEqual({ type: 'authentication-tokens', id: 'at-1' });
    const many = { data: Array.from({ length: 60 }, (_, i) => ({ type: 'workspaces', id: `ws-${i}` })) };
    const { count, data } = resourcesOf(many) as { count: number; data: unknown[] };
    expect([count, data.length, data[0]]).toEqual([60, 50, { type: 'workspaces', id: 'ws-0' }]);
    expect(resourcesOf({ data: { type: 'x', id: 'lku.secret.text' } })).toEqual({ type: 'x', id: undefined });
    expect([resourcesOf({ data: null }), resourcesOf('text'), resourcesOf(undefined)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
