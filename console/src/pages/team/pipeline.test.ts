import { describe, expect, test } from 'vitest';
import {
  changesOf,
  exchangeOf,
  filledOf,
  fresh,
  kindOf,
  type PipelineIdentity,
  snippetOf,
  whyNot,
  written,
} from './pipeline.ts';

const identity = {
  attributes: {
    ...{ description: 'infra', issuer: 'https://gitlab.com', 'jwks-url': null, audiences: ['a', 'b'] },
    ...{ claims: { project_id: ['7'], ref: ['main', 'release'], '/a/b': [7] }, 'token-ttl': 600 },
  },
} as unknown as PipelineIdentity;

describe('the form of a pipeline identity', () => {
  test('only changed attributes are sent', () => {
    const before = filledOf(identity);
    expect(before.claims).toBe('project_id = "7"\nref = ["main","release"]\n/a/b = 7');
    expect(written(before)).toEqual({
      ...identity.attributes,
      claims: { project_id: '7', ref: ['main', 'release'], '/a/b': 7 },
    });
    expect(changesOf(before, { ...before, claims: ` ${before.claims}\n` })).toEqual({});
    expect(changesOf(before, { ...before, description: '', ttl: '60' })).toEqual({ description: '', 'token-ttl': 60 });
    expect(whyNot(before)).toBeUndefined();
  });

  test('starts with the URL of this server, and names missing fields', () => {
    const begun = fresh('https://lockkeeper.example.com');
    expect(begun).toMatchObject({ audiences: 'https://lockkeeper.example.com' });
    expect(whyNot(begun)).toBe('Enter a claim');
    expect(whyNot({ ...begun, claims: 'main' })).toContain('name = value');
    expect(whyNot({ ...begun, claims: 'a = b', audiences: ' \n' })).toBe('Enter an audience');
  });

  test('writes the team name in the format of each pipeline', () => {
    expect(kindOf('https://gitlab.example.com')).toBe('gitlab');
    expect(kindOf('https://token.example.com')).toBeUndefined();
    expect(snippetOf('github', 'https://l.example', 'acme/a: "b"')).toContain('LOCKKEEPER_TEAM: "acme/a: \\"b\\""');
    expect(exchangeOf('https://l.example', "acme/it's")).toContain(`--data-urlencode 'audience=acme/it'\\''s'`);
    expect(exchangeOf('https://l.example', 'acme/deploy')).toContain('--data-urlencode audience=acme/deploy');
  });
});
