import { type TSchema, Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../lib/errors.ts';
import { jsonApiErrors } from './errors.ts';
import { parseInclude } from './include.ts';
import { pageDocument, pageOf } from './pagination.ts';
import { ANY_TYPE, resourceBody } from './schema.ts';
import { compileValidator } from './validation.ts';

describe('errors', () => {
  test('the status is a string, and each issue is an error of its own', () => {
    const error = new AppError('unprocessable', 'two things', {
      issues: [
        { detail: 'first', pointer: '/data/x' },
        { detail: 'second', parameter: 'sort', title: 'odd' },
      ],
    });
    expect(jsonApiErrors.body(422, error, 'req-1')).toEqual({
      errors: [
        { status: '422', title: 'invalid attribute', detail: 'first', source: { pointer: '/data/x' } },
        { status: '422', title: 'odd', detail: 'second', source: { parameter: 'sort' } },
      ],
    });
  });

  test('an internal error only contains the request id', () => {
    expect(jsonApiErrors.body(500, undefined, 'req-1')).toEqual({
      errors: [
        {
          id: 'req-1',
          status: '500',
          title: 'internal server error',
          detail: 'An internal error occurred. Give the request id to your administrator',
        },
      ],
    });
  });
});

describe('pagination', () => {
  const url = new URL('https://keeper.example.com/api/v2/things?q=a%20b');

  test('an empty list has one page, which is the first and the last', () => {
    const { links, meta } = pageDocument(url, pageOf({}), 0, []);
    expect(meta.pagination).toEqual({
      'current-page': 1,
      'page-size': 20,
      'prev-page': null,
      'next-page': null,
      'total-pages': 1,
      'total-count': 0,
    });
    expect(links).toMatchObject({ first: links.self, last: links.self, prev: null, next: null });
    expect(links.self).toBe('https://keeper.example.com/api/v2/things?q=a+b&page%5Bnumber%5D=1&page%5Bsize%5D=20');
  });

  test('after the last page, the previous link points to the last page', () => {
    const { meta } = pageDocument(url, pageOf({ 'page[number]': '9', 'page[size]': '10' }), 25, []);
    expect(meta.pagination).toMatchObject({ 'current-page': 9, 'prev-page': 3, 'next-page': null, 'total-pages': 3 });
  });
});

describe('include', () => {
  const known = ['current_run', 'current_run.plan'] as const;

  test('accepts dashes for underscores, and ignores spaces and empty words', () => {
    expect([...parseInclude('current-run, current_run.plan,,', known)]).toEqual(['current_run', 'current_run.plan']);
    expect(parseInclude(undefined, known).size).toBe(0);
  });

  test('a path also includes the resources along it', () => {
    expect([...parseInclude('current_run.plan', known)]).toEqual(['current_run', 'current_run.plan']);
  });

  test('refuses unknown words', () => {
    expect(() => parseInclude('current_run.apply', known)).toThrow(/include parameter/);
  });
});

describe('the type of a body', () => {
  const validator = (schema: TSchema) => compileValidator({ schema, httpPart: 'body' });
  const bare = Type.Object({ attributes: Type.Object({}) });

  test.each([
    ['a resource', Type.Object({ data: bare })],
    ['a list', Type.Object({ data: Type.Array(bare) })],
    ['one of two', Type.Object({ data: Type.Union([Type.Object({ type: Type.Literal('a') }), Type.Array(bare)]) })],
  ])('must be declared, or the server does not start: %s', (_, schema) => {
    expect(() => validator(schema)).toThrow('a body does not declare data.type');
  });

  test('is the declared one or absent, or any if the schema says so', () => {
    const strict = validator(resourceBody('teams', Type.Object({}), {}));
    const open = validator(resourceBody(ANY_TYPE, Type.Object({}), {}));
    for (const [type, fits] of [
      ['teams', true],
      ['team', false],
      ['', false],
      [undefined, true],
    ] as const) {
      const body = { data: { ...(type !== undefined && { type }), attributes: {} } };
      expect([type, 'error' in strict(body)]).toEqual([type, !fits]);
      expect(open(body)).toEqual({ value: body });
    }
  });
});
