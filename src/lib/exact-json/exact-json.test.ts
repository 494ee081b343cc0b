import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactNumber, isSameJson, parseExactJson } from './exact-json.ts';

const digits = (min: number, max: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: min, maxLength: max }).map((all) => all.join(''));
/** Any number that RFC 8259 allows. */
const number = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(
      fc.constant('0'),
      digits(0, 40).map((rest) => `7${rest}`),
    ),
    fc.oneof(
      fc.constant(''),
      digits(1, 40).map((all) => `.${all}`),
    ),
    fc.constantFrom('', '', 'e5', 'E+07', 'e-400', 'e400'),
  )
  .map((parts) => parts.join(''));
/** Strings that look like numbers, or like the end of a string. */
const string = fc
  .oneof(number, fc.string(), fc.constantFrom(' 1.0,', '\\', '"', '\\"1.0', '-0]'))
  .map((text) => JSON.stringify(text));
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    number,
    string,
    fc.constantFrom('true', 'null'),
    fc.array(tie('json'), { maxLength: 5 }).map((all) => `[${all.join(',')}]`),
    fc
      .uniqueArray(fc.tuple(fc.constantFrom('"a"', '"__proto__"', '"1.0"', '"b\\"c"'), tie('json')), {
        selector: ([key]) => key,
      })
      .map((all) => `{${all.map((one) => one.join(':')).join(',')}}`),
  ),
}));

describe('exact JSON', () => {
  it('writes a number as it was read', () => {
    const isKept = (text: string) => JSON.stringify(parseExactJson(text)) === text;
    fc.assert(fc.property(json, isKept), { numRuns: 500 });
  });

  it('accepts white space at every allowed position', () => {
    fc.assert(
      fc.property(number, fc.constantFrom('', ' ', '\n\t'), (text, space) => {
        const spaced = `${space}{${space}"a"${space}:${space}[${text}${space},${space}${text}${space}]${space}}${space}`;
        expect(JSON.stringify(parseExactJson(spaced))).toBe(`{"a":[${text},${text}]}`);
      }),
    );
  });

  it('returns a plain number if JavaScript writes it the same way', () => {
    for (const text of ['0', '-1', '0.5', '9007199254740991', '1e+21', '0.30000000000000004', '1700000000000'])
      expect(parseExactJson(text)).toBe(Number(text));
    expect(parseExactJson('1.0')).toEqual(new ExactNumber('1.0'));
  });

  it.each([
    ...[
      '01.0',
      '1.',
      '.5',
      '-',
      '+1.0',
      '1.0.0',
      '1.0 1.0',
      '{1.0:2}',
      '[1.0,]',
      '{"a":1.0',
      '[1.0"a"]',
      'NaN',
      '1.0e',
    ],
    ...['[1.0-1.0]', '"1.0', '["\\"1.0]', '1.0]', ''],
  ])('refuses what JSON.parse refuses: %j', (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
    expect(() => parseExactJson(`{"a":1.0,${text}`)).toThrow(SyntaxError);
  });

  it('reads any depth', () => {
    const depth = 100_000;
    let value = parseExactJson(`${'['.repeat(depth)}1.0${']'.repeat(depth)}`);
    for (let level = 0; level < depth; level++) [value] = value as [unknown];
    expect(value).toEqual(new ExactNumber('1.0'));
  });

  it.each([
    ['1', '1.0', true],
    ['100', '1e2', true],
    ['0', '-0.0', true],
    ['1e400', '10e399', true],
    ['9007199254740993', '9007199254740992', false],
    ['9007199254740993', '9007199254740993.0', true],
    ['1e400', '1e401', false],
    ['0.1', '0.10', true],
    ['1.0', '-1.0', false],
    ['1.0', '"1.0"', false],
    ['{"a":1,"b":[2]}', '{"b":[2.0],"a":1}', true],
    ['[1]', '{"0":1}', false],
    ['{"a":null}', '{"b":null}', false],
    ['{}', 'null', false],
    ['1.0', '{"text":"1.0"}', false],
  ])('%s and %s are equal: %j', (one, other, expected) => {
    expect(isSameJson(parseExactJson(one), parseExactJson(other))).toBe(expected);
    expect(isSameJson(parseExactJson(other), parseExactJson(one))).toBe(expected);
  });
});
