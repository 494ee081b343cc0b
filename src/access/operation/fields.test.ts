import { describe, expect, it } from 'vitest';
import { flag, initialValues, integer, list, listOrEmpty, parseFields, seconds, text } from './fields.ts';

const fields = { name: text('x'), on: flag(), count: integer(), items: list(), always: listOrEmpty(), ttl: seconds() };
const values = (body: Record<string, unknown>) => parseFields(fields, body).values;

describe('fields', () => {
  it('have initial values', () => {
    expect(initialValues(fields)).toEqual({ name: 'x', on: false, count: 0, items: null, always: [], ttl: 0 });
  });

  it('keep values that a request does not contain', () => {
    expect(values({ on: true })).toEqual({ on: true });
  });

  it('parse every form in which clients send them', () => {
    expect(values({ name: 5, on: 'T', count: '0x10', items: ' a, b ,c', ttl: '1h' })).toEqual({
      name: '5',
      on: true,
      count: 16,
      items: ['a', 'b', 'c'],
      ttl: 3600,
    });
    expect(values({ items: [' a,b ', 5], on: 0 })).toEqual({ items: ['a,b', '5'], on: false });
  });

  it('are reset by null, except durations, which keep their value', () => {
    expect(values({ name: null, on: null, count: null, items: null, ttl: null })).toEqual({
      name: '',
      on: false,
      count: 0,
      items: [],
    });
  });

  it('report unknown names, inherited ones included', () => {
    expect(parseFields(fields, JSON.parse('{"nope": 1, "toString": 2}')).unknown).toEqual(['nope', 'toString']);
  });

  it.each([
    [{ name: ['a'] }, 'name'],
    [{ name: 'a\0b' }, 'name'],
    [{ items: 'a,\0' }, 'items'],
    [{ on: 'maybe' }, 'on'],
    [{ count: 1.5 }, 'count'],
    [{ items: { a: 1 } }, 'items'],
    [{ items: [['a']] }, 'items'],
    [{ ttl: '1.5' }, 'ttl'],
    [{ ttl: true }, 'ttl'],
    [{ ttl: -100 }, 'ttl'],
  ])('refuse %j with the name of the field', (body, field) => {
    expect(() => values(body)).toThrow(`Field validation failed: error converting input for field "${field}"`);
  });
});
