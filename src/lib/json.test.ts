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

describe('JSON from a stranger', () => {
  test('is read as JSON.parse reads it', () => {
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
    // A whole character, and a text that only looks like half of one.
    ['"\\ud83d\\ude00"', '😀'],
    ['"\\\\ud800"', '\\ud800'],
    ['[null,1,true,{"a":"\\ud800"}]', [null, 1, true, { a: '\ufffd' }]],
  ])('%s: halves of characters are none in a body', async (text, value) => {
    expect(await parseJsonBody(undefined, Buffer.from(text))).toEqual(value);
  });

  test('no bytes are no value', () => {
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

  test('bytes that are not UTF-8 are refused', () => {
    expect(refusal(() => parseJson(Buffer.from([0x22, 0xff, 0x22]))).kind).toBe('bad-request');
  });

  test('depth ends at 32, brackets inside texts do not count', () => {
    const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;
    expect(() => parse(nested(32))).not.toThrow();
    expect(refusal(() => parse(nested(34))).message).toContain('too deeply');
    expect(parse(`["${'['.repeat(100)}","\\"${'{'.repeat(100)}"]`)).toHaveLength(2);
  });

  test('the number of values has an end, commas inside texts do not count', () => {
    const list = (length: number) => `[${Array.from({ length }, () => '0').join()}]`;
    expect(parse(list(9_999))).toHaveLength(9_999);
    expect(refusal(() => parse(list(10_001))).message).toContain('too many values');
    expect(refusal(() => parse(`[${'[],'.repeat(5_001)}0]`)).message).toContain('too many values');
    expect(parse(`"${','.repeat(20_000)}"`)).toHaveLength(20_000);
  });

  test('a key __proto__ is refused however it is written and wherever it stands', () => {
    for (const text of ['{"__proto__":{}}', '[{"a":{"\\u005f_pr\\u006fto__":1}}]']) {
      expect(refusal(() => parse(text)).message).toContain('not allowed');
    }
    expect(parse('{"a":"__proto__"}')).toEqual({ a: '__proto__' });
  });
});
