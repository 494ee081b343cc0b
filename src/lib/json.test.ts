import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from './errors.ts';
import { parseJson, parseJsonBody } from './json.ts';

const parse = (text: string) => parseJson(Buffer.from(text));

function refusal(run: () => unknown): AppError {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('was accepted');
}

describe('JSON from clients', () => {
  test('is parsed like JSON.parse does', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        const text = JSON.stringify(value);
        if (text.includes('__proto__')) return;
        expect(parse(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test.each([
    ['"\\ud800"', '\ufffd'],
    ['{"a\\udc00":["x\\uD800\\ud800y"]}', { 'a\ufffd': ['x\ufffd\ufffdy'] }],
    // A complete character, and a text that only looks like half of one.
    ['"\\ud83d\\ude00"', '😀'],
    ['"\\\\ud800"', '\\ud800'],
    ['[null,1,true,{"a":"\\ud800"}]', [null, 1, true, { a: '\ufffd' }]],
  ])('%s: replaces half surrogate pairs in a body', async (text, value) => {
    expect(await parseJsonBody(undefined, Buffer.from(text))).toEqual(value);
  });

  test('returns undefined for no bytes', () => {
    expect(parse('')).toBeUndefined();
  });

  test.each(['{', '{"a":}', '[1,]', 'nul', '"open', '"\\', '{} {}', ']', '\ufeff{}'])(
    '%j is refused without an echo of the input',
    (text) => {
      const error = refusal(() => parse(text));
      expect(error.kind).toBe('bad-request');
      expect(error.message).toBe('failed to parse JSON input');
    },
  );

  test('refuses bytes that are not UTF-8', () => {
    expect(refusal(() => parseJson(Buffer.from([0x22, 0xff, 0x22]))).kind).toBe('bad-request');
  });

  test('allows a depth of 32; brackets inside strings do not count', () => {
    const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;
    expect(() => parse(nested(32))).not.toThrow();
    expect(refusal(() => parse(nested(34))).message).toContain('too deeply');
    expect(parse(`["${'['.repeat(100)}","\\"${'{'.repeat(100)}"]`)).toHaveLength(2);
  });

  test('limits the number of values; commas inside strings do not count', () => {
    const list = (length: number) => `[${Array.from({ length }, () => '0').join()}]`;
    expect(parse(list(9_999))).toHaveLength(9_999);
    expect(refusal(() => parse(list(10_001))).message).toContain('too many values');
    expect(refusal(() => parse(`[${'[],'.repeat(5_001)}0]`)).message).toContain('too many values');
    expect(parse(`"${','.repeat(20_000)}"`)).toHaveLength(20_000);
  });

  test('refuses the key __proto__ in every spelling and at every position', () => {
    for (const text of ['{"__proto__":{}}', '[{"a":{"\\u005f_pr\\u006fto__":1}}]']) {
      expect(refusal(() => parse(text)).message).toContain('not allowed');
    }
    expect(parse('{"a":"__proto__"}')).toEqual({ a: '__proto__' });
  });
});
