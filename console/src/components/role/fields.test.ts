import { describe, expect, test } from 'vitest';
import { changesOf, type FieldGroups, field, filledOf, whyUnreadable } from './fields.ts';

const GROUPS: FieldGroups = [
  ['Names', [field('lines', 'names'), field('text', 'audience')]],
  [
    'Rest',
    [
      field('number', 'ttl'),
      field('flag', 'ocsp'),
      field('claims', 'claims'),
      { ...field('lines', 'purposes'), initial: 'ClientAuth' },
      { ...field('choice', 'kind'), options: [['string', 'to the letter']] },
    ],
  ],
];
const filled = (role: object) => filledOf(GROUPS, role);

describe('a role in a form', () => {
  test('sends only changed fields', () => {
    const before = filled({ names: ['*.example'], ttl: 90, ocsp: false, claims: { ref: 'main' }, purposes: [] });
    expect(before).toEqual({
      ...{ names: '*.example', audience: '', ttl: '90', ocsp: false },
      ...{ claims: 'ref = main', kind: 'string', purposes: '' },
    });
    expect(changesOf(GROUPS, before, before)).toEqual({});
    const after = { ...before, names: ' a \n\nb', ttl: '', ocsp: true, claims: 'ref = main\nid = 7' };
    expect(changesOf(GROUPS, before, after)).toEqual({
      ...{ names: ['a', 'b'], ttl: '0', ocsp: true },
      claims: { ref: 'main', id: 7 },
    });
    expect(changesOf(GROUPS, before, { ...before, names: '', claims: '' })).toEqual({ names: [], claims: {} });
  });

  test('starts with the defaults of the server', () => {
    expect(filled({}).purposes).toBe('ClientAuth');
    expect(changesOf(GROUPS, filled({}), { ...filled({}), purposes: '' })).toEqual({ purposes: [] });
  });

  test('reports claims that cannot be parsed', () => {
    expect(whyUnreadable(GROUPS, filled({}))).toBeUndefined();
    expect(whyUnreadable(GROUPS, { ...filled({}), claims: 'main' })).toBe(
      'claims: main: write each line as name = value',
    );
  });
});
