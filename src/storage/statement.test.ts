import { describe, expect, it } from 'vitest';
import { bind, bindDynamic, compile } from './statement.ts';

describe('compile', () => {
  it('numbers named parameters in the order of their first use', () => {
    const text = 'UPDATE t SET a = :a, b = :b WHERE a < :a';
    expect(compile(text, 'sqlite').text).toBe('UPDATE t SET a = ?1, b = ?2 WHERE a < ?1');
    expect(compile(text, 'postgres').text).toBe('UPDATE t SET a = $1, b = $2 WHERE a < $1');
    expect(compile(text, 'postgres').names).toEqual(['a', 'b']);
  });

  it.each([
    [`SELECT 'at :noon, it''s :late'`],
    ['SELECT "a:b" FROM t'],
    ['SELECT a::text FROM t'],
    ['SELECT 1 -- :nothing'],
    ['SELECT /* :nor :this */ 1'],
    [`SELECT '2026-11-21T09:30:00'`],
  ])('finds no parameter in %s', (text) => {
    expect(compile(text, 'postgres')).toMatchObject({ text, names: [] });
  });

  it('finds a parameter after a quoted colon and before a cast', () => {
    expect(compile(`SELECT ':a' || :b::text`, 'postgres').text).toBe(`SELECT ':a' || $1::text`);
  });

  it('distinguishes statements about rows from those about tables', () => {
    expect(compile('INSERT INTO t VALUES (1)', 'sqlite').data).toBe(true);
    expect(compile('\n  with x AS (SELECT 1) SELECT * FROM x', 'sqlite').data).toBe(true);
    expect(compile('CREATE TABLE t (a TEXT)', 'sqlite').data).toBe(false);
  });
});

describe('bind', () => {
  const compiled = compile('SELECT :a, :b', 'sqlite');

  it('returns the values in order', () => {
    expect(bind(compiled, { b: null, a: 1 })).toEqual([1, null]);
  });

  it('refuses a missing parameter', () => {
    expect(() => bind(compiled, { a: 1 })).toThrow('parameter :b is missing');
  });

  it('refuses a superfluous parameter', () => {
    expect(() => bind(compiled, { a: 1, b: 2, c: 3 })).toThrow('no parameter :c');
  });

  it.each([[Number.NaN], [Number.POSITIVE_INFINITY], [2 ** 53], ['a\0b'], [true], [{}], [new Date()]])(
    'refuses %s, which the databases would store differently',
    (value) => {
      expect(() => bind(compiled, { a: 1, b: value as never })).toThrow('parameter :b has a type that no column holds');
    },
  );

  it('accepts the truth values of a query builder as 1 and 0', () => {
    expect(bindDynamic([true, false, 'a'])).toEqual([1, 0, 'a']);
  });
});
