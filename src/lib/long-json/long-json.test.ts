import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '../errors.ts';
import { parseJson } from '../json.ts';
import { LONG_TEXT_BYTES, REST_BYTES, readLongJson } from './long-json.ts';
import { LongText } from './long-text.ts';

async function* inChunks(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}

const read = (json: string | Uint8Array, chunk = 10_000): Promise<unknown> =>
  readLongJson(inChunks(Buffer.from(json as string), chunk));

async function refusal(json: string | Uint8Array, chunk?: number): Promise<AppError> {
  const outcome = await read(json, chunk).catch((error: unknown) => error);
  if (outcome instanceof AppError) return outcome;
  throw new Error('was accepted');
}

const long = (text: string): string => text.repeat(Math.ceil((LONG_TEXT_BYTES + 1) / text.length));

describe('JSON with long texts', () => {
  test('is parsed like parseJson does if no text is long, in chunks of any size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 3 }), fc.integer({ min: 1, max: 9 }), async (value, chunk) => {
        const text = JSON.stringify(value, null, 2);
        if (text.includes('__proto__')) return;
        expect(await read(text, chunk)).toEqual(JSON.parse(text));
      }),
    );
    expect(await read('')).toBeUndefined();
  });

  test('returns each long text in pieces: the same text for every spelling and every cut', async () => {
    const texts = ['plain', 'line\n', '"\\', 'é', '€ and 😀', '\u0000\u001f'].map(long);
    texts.push(`${long('plain')}é`, `${long('plain')}\n"`, `${long('plain')}\\`);
    for (const text of texts) {
      const escaped = JSON.stringify(text).replace(
        /[^\0-\x7f]/g,
        (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
      for (const [json, chunk] of [
        [JSON.stringify(text), 10_007],
        [escaped, 10_007],
        [escaped, 65_536],
        [JSON.stringify(text), 1_000_000],
      ] as const) {
        const document = (await read(`{"a": ${json}, "b": ["short", ${json}]}`, chunk)) as {
          a: LongText;
          b: LongText[];
        };
        expect(document.a).toBeInstanceOf(LongText);
        expect(document.a.toString() === text).toBe(true);
        expect(document.a.sha256).toBe(LongText.fromString(text).sha256);
        expect(document.b[0]).toBe('short');
        expect(document.b[1]?.bytes).toBe(Buffer.byteLength(text));
      }
    }
  });

  test('works in pieces no larger than a chunk of input or a barely long text', async () => {
    const { a } = (await read(JSON.stringify({ a: 'x'.repeat(1_000_000) }), 16_384)) as { a: LongText };
    expect(Math.max(...a.pieces.map(({ length }) => length))).toBeLessThanOrEqual(LONG_TEXT_BYTES + 16_384);
  });

  test.each(['"', '\\', '\\u12', '\\x', '\n', '\t'])(
    'refuses %j in a long text where it is not allowed',
    async (bad) => {
      const json = `{"a":"${long('x')}${bad}"}`;
      if (bad === '"') expect((await refusal(json)).message).toBe('failed to parse JSON input');
      else
        for (const chunk of [1000, 1_000_000])
          expect((await refusal(json, chunk)).message).toBe('failed to parse JSON input');
    },
  );

  test('refuses input that is truncated or has trailing bytes', async () => {
    for (const json of [
      `{"a":"${long('x')}`,
      `{"a":"${long('x')}"`,
      `"${long('x')}" 1`,
      `"${long('x')}" ""`,
      '1\u000b',
      '  ',
    ]) {
      expect((await refusal(json)).message).toBe('failed to parse JSON input');
    }
    // White space is shortened to one space, and never to none.
    expect((await refusal(`1${' '.repeat(10)}2`)).message).toBe('failed to parse JSON input');
    expect(await read(`[1,${' '.repeat(2 * REST_BYTES)}2]`)).toEqual([1, 2]);
  });

  test('refuses bytes that are not UTF-8, in a long text too', async () => {
    for (const bytes of [[0xff], [0xe2, 0x82], [0xed, 0xa0, 0x80]]) {
      const json = Buffer.concat([Buffer.from(`"${long('x')}`), Buffer.from(bytes), Buffer.from('"')]);
      for (const chunk of [1000, 1_000_000]) expect((await refusal(json, chunk)).message).toContain('not UTF-8');
    }
  });

  test('enforces the limits of depth, values and names', async () => {
    expect((await refusal(`[${'1,'.repeat(10_001)}1]`)).message).toContain('too many values');
    expect((await refusal(`${'['.repeat(33)}${']'.repeat(33)}`)).message).toContain('nested too deeply');
    expect((await refusal(`{"a":"${long('x')}","__proto__":1}`)).message).toContain('not allowed');
    expect(parseJson(Buffer.from('[1]'))).toEqual(await read('[1]'));
  });

  test('limits everything except the long texts', async () => {
    const shorts = Array.from({ length: 5 }, () => 'x'.repeat(60_000));
    expect((await refusal(JSON.stringify(shorts))).kind).toBe('too-large');
    expect(await read(JSON.stringify(shorts.slice(1)))).toEqual(shorts.slice(1));
  });

  test('refuses a long text as a name, and duplicate long texts', async () => {
    for (const json of [`{"${long('x')}":1}`, `{"a":"${long('x')}","a":"${long('x')}"}`]) {
      expect((await refusal(json)).message).toBe('the JSON input has a text that is too long');
    }
  });
});

describe('a long text', () => {
  test('search finds matches across the edges of pieces', async () => {
    const text = new LongText(
      ['ab', 'c', 'd', 'efgh'].map((one) => Buffer.from(one)),
      '',
    );
    for (const inside of ['a', 'ab', 'abcd', 'bcde', 'cdef', 'gh', 'abcdefgh'])
      expect(await text.includes(inside)).toBe(true);
    for (const outside of ['ac', 'fe', 'ghi', 'xabc']) expect(await text.includes(outside)).toBe(false);
  });
});
