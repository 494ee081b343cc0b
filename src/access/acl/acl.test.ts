import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runAtOnce } from '../../lib/slices.ts';
import type { Acl, AclRequest } from './acl.ts';
import { buildAcl, commonRules, type NamedPolicy } from './build-acl.ts';
import { compareShapes, pathShape } from './path-shape.ts';
import type { Verb } from './policy.ts';
import { readPolicy } from './read-policy.ts';

const read = (text: string) => runAtOnce(readPolicy(text));
const build = (policies: readonly NamedPolicy[]): Acl => runAtOnce(buildAcl(runAtOnce(commonRules(policies, 0)), {}));

/** Builds an ACL of policies named `p1`, `p2`, … with these texts. */
function aclOf(...texts: string[]): Acl {
  return build(texts.map((text, index) => ({ name: `p${index + 1}`, policy: read(text) })));
}
const path = (text: string, ...capabilities: string[]) =>
  `path "${text}" { capabilities = ${JSON.stringify(capabilities)} }\n`;
/** Each path has a capability of its own, so that the decision shows which rule was used. */
const deciding = (acl: Acl, asked: string, capability: Verb = 'read') =>
  acl.decide({ path: asked, capability }).rule?.path;

describe('rule precedence', () => {
  it.each([
    ['a/b', ['a/b', 'a/*', 'a/+'], 'a/b'],
    ['a/b', ['*', 'a*', 'a/*'], 'a/*'],
    ['a/bc', ['a/b*', 'a/*', 'a/+'], 'a/b*'],
    ['a/b', ['a/+', 'a/*'], 'a/+'],
    ['a/b/c', ['a/+/c', 'a/b/+'], 'a/b/+'],
    ['a/b/c', ['a/+/c', 'a/+/+'], 'a/+/c'],
    ['a/b/c', ['a/+/*', 'a/+/c*', 'a/+/c'], 'a/+/c'],
    ['a/b/c', ['a/+/*', 'a/+/c*'], 'a/+/c*'],
    ['a/b/cd', ['a/+/c*', 'a/+/cd*'], 'a/+/cd*'],
    ['a/b/c/d', ['a/+/c/+', 'a/+/+/d'], 'a/+/c/+'],
    ['a/b/c/d', ['+/+/+/+', '+/b/*', '+/*'], '+/+/+/+'],
    ['a', ['+', '*'], '+'],
    ['a/b', ['+', 'a', 'a/b/c', 'a/b/', 'b*', 'a/+/'], undefined],
    ['a/b/c', ['a/+'], undefined],
    ['a+b/c', ['a+b/+'], 'a+b/+'],
    ['', ['*'], '*'],
    ['/a', ['a'], 'a'],
  ])('for %s among %j is %s', (asked, paths, expected) => {
    expect(deciding(aclOf(paths.map((one) => path(one, 'read')).join('')), asked)).toBe(expected);
    expect(deciding(aclOf(...paths.toReversed().map((one) => path(one, 'read'))), asked)).toBe(expected);
  });

  it('lists the overridden rules, most specific first, with reasons', () => {
    const acl = aclOf(path('a/*', 'deny') + path('a/+', 'deny'), path('a/b', 'read'), path('+/b', 'read'));
    const { allowed, reason, rule, overridden } = acl.decide({ path: 'a/b', capability: 'read' });
    expect([allowed, reason]).toEqual([true, 'granted']);
    expect(rule).toEqual({
      path: 'a/b',
      policies: ['p2'],
      capabilities: ['read'],
      blocks: [{ policy: 'p2', path: 'a/b', line: 1, capabilities: ['read'] }],
    });
    expect(overridden.map((one) => [one.path, one.policies, one.because])).toEqual([
      ['a/+', ['p1'], 'the other is exact'],
      ['a/*', ['p1'], 'the other is exact'],
      ['+/b', ['p3'], 'the other is exact'],
    ]);
    const wildcards = acl.decide({ path: 'a/c', capability: 'read' });
    expect(wildcards.overridden.map(({ because }) => because)).toEqual(['it ends in a *']);
  });

  it('orders any two different paths', () => {
    const part = fc.constantFrom('+', 'a', 'b', 'ab');
    const shape = fc
      .tuple(fc.array(part, { minLength: 1, maxLength: 4 }), fc.constantFrom('', '*'))
      .map(([parts, end]) => parts.join('/') + end)
      .filter((text) => !text.includes('+*'));
    fc.assert(
      fc.property(shape, shape, shape, (a, b, c) => {
        const [x, y, z] = [a, b, c].map(pathShape) as [never, never, never];
        expect(Math.sign(compareShapes(x, y))).toBe(-Math.sign(compareShapes(y, x)) + 0);
        expect(compareShapes(x, y) === 0).toBe(a === b);
        if (compareShapes(x, y) > 0 && compareShapes(y, z) > 0) expect(compareShapes(x, z)).toBeGreaterThan(0);
      }),
    );
  });

  it('finds the rule that a linear search finds', () => {
    const part = fc.constantFrom('a', 'b', 'ab', '');
    const rule = fc
      .tuple(fc.array(fc.oneof(part, fc.constant('+')), { minLength: 1, maxLength: 4 }), fc.constantFrom('', '*'))
      .map(([parts, end]) => parts.join('/') + end)
      .filter((text) => !text.includes('+*') && !text.startsWith('/'));
    const asked = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/').replace(/^\/+/, ''));
    const pattern = (text: string) =>
      new RegExp(`^${text.replace(/\*$/, '.*').replaceAll(/(?<=^|\/)\+(?=\/|$)/g, '[^/]*')}$`);
    fc.assert(
      fc.property(fc.uniqueArray(rule, { maxLength: 12 }), asked, (rules, one) => {
        const fitting = rules.filter((text) => pattern(text).test(one));
        const best = fitting.sort((x, y) => compareShapes(pathShape(y), pathShape(x)));
        const expected = fitting.includes(one) ? one : best[0];
        expect(deciding(aclOf(rules.map((text) => path(text, 'read')).join('')), one)).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a list', () => {
  it.each([
    ['a', [path('a/', 'list')], true],
    ['a', [path('a', 'list')], true],
    ['a', [path('a/*', 'list')], true],
    ['a', [path('a/', 'deny') + path('a', 'list')], false],
    ['a', [path('a/', 'list') + path('a', 'deny')], true],
    ['a', [path('+', 'list')], true],
    ['a/b', [path('a/*', 'list') + path('a/b/*', 'deny')], false],
    ['a/b', [path('a/*', 'list') + path('a/b', 'deny')], false],
    ['a/b', [path('a/*', 'list') + path('a/b/', 'deny')], false],
    ['a/b', [path('a/*', 'list') + path('a/+', 'deny')], false],
    ['a/b', [path('a/*', 'list') + path('a/+/', 'deny')], false],
    ['a/b', [path('a/*', 'deny') + path('a/+', 'list')], false],
    ['a/b', [path('a/*', 'deny') + path('a/+/', 'list')], true],
    ['a/b', [path('a/+', 'list')], true],
  ])('for %s and %j uses %s, with and without a trailing slash', (asked, texts, allowed) => {
    const acl = aclOf(...texts);
    expect(acl.decide({ path: asked, capability: 'list' }).allowed).toBe(allowed);
    expect(acl.decide({ path: `${asked}/`, capability: 'list' }).allowed).toBe(allowed);
  });

  it('handles a path of many slashes quickly', () => {
    const slashes = '/'.repeat(500_000);
    expect(aclOf(path('a/*', 'list')).capabilities(`a${slashes}b${slashes}`)).toEqual(['list']);
  });

  it('ignores a trailing slash for list only', () => {
    expect(aclOf(path('a/', 'read')).decide({ path: 'a', capability: 'read' }).reason).toBe('no-rule');
  });
});

describe('several policies', () => {
  it('add up their capabilities on the same path', () => {
    const acl = aclOf(path('a', 'read'), path('a', 'update') + path('a', 'sudo'));
    expect(acl.capabilities('a')).toEqual(['sudo', 'read', 'update']);
    expect(acl.decide({ path: 'a', capability: 'update' }).rule?.blocks).toHaveLength(3);
  });

  it('grant nothing if one of them denies', () => {
    for (const texts of [
      [path('a', 'read'), path('a', 'deny')],
      [path('a', 'deny'), path('a', 'read')],
    ]) {
      expect(aclOf(...texts).decide({ path: 'a', capability: 'read' }).reason).toBe('denied');
    }
  });

  it('prefer a more exact path to a broader deny', () => {
    expect(aclOf(path('a/*', 'deny'), path('a/b', 'read')).decide({ path: 'a/b', capability: 'read' }).allowed).toBe(
      true,
    );
  });

  it('are never widened by a policy that only denies', () => {
    const part = fc.constantFrom('a', 'b', '+');
    const rule = fc
      .tuple(fc.array(part, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '*', '/', '/*'))
      .map(([parts, end]) => parts.join('/') + end)
      .filter((text) => !text.includes('+*'));
    const asked = fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
    const texts = fc.array(fc.tuple(rule, fc.subarray(['read', 'list', 'update', 'deny'])), { maxLength: 6 });
    fc.assert(
      fc.property(texts, fc.array(rule, { maxLength: 3 }), asked, (rules, denied, one) => {
        const some = rules.map(([text, given]) => path(text, ...given)).join('');
        const before = aclOf(some);
        const after = aclOf(some, denied.map((text) => path(text, 'deny')).join(''));
        for (const capability of ['read', 'list', 'update'] as const) {
          const request = { path: one, capability };
          if (after.decide(request).allowed) expect(before.decide(request).allowed).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('allow nothing if one of them cannot be parsed', () => {
    const readable = { name: 'a', policy: read(path('*', 'read')) };
    const acl = build([readable, { name: 'b', policy: undefined }]);
    expect(acl.decide({ path: 'x', capability: 'read' })).toMatchObject({
      allowed: false,
      reason: 'unreadable-policy',
    });
    expect(acl.capabilities('x')).toEqual(['deny']);
  });
});

describe('sudo and capabilities', () => {
  it('is required in addition', () => {
    const request: AclRequest = { path: 'a', capability: 'update', sudo: true };
    expect(aclOf(path('a', 'update')).decide(request).reason).toBe('sudo');
    expect(aclOf(path('a', 'sudo')).decide(request).reason).toBe('capability');
    expect(aclOf(path('a', 'sudo', 'update')).decide(request).allowed).toBe(true);
  });

  it('is listed in the order that clients expect', () => {
    const acl = aclOf(path('a', 'patch', 'create', 'delete', 'update', 'list', 'read', 'sudo') + path('d/*', 'deny'));
    expect(acl.capabilities('a')).toEqual(['sudo', 'read', 'list', 'update', 'delete', 'create', 'patch']);
    expect([acl.capabilities('d/x'), acl.capabilities('none')]).toEqual([['deny'], ['deny']]);
  });

  it('lists exactly the capabilities that requests would have', () => {
    const acl = aclOf(path('a', 'read') + path('a/', 'list') + path('b/*', 'list', 'read'));
    expect([acl.capabilities('a'), acl.capabilities('/a'), acl.capabilities('b'), acl.capabilities('b/')]).toEqual([
      ['read', 'list'],
      ['read', 'list'],
      ['list'],
      ['read', 'list'],
    ]);
  });
});

describe('wrapping', () => {
  const limited = (min: string, max: string) =>
    `path "a" { capabilities = ["read"] ${min && `min_wrapping_ttl = "${min}"`} ${max && `max_wrapping_ttl = "${max}"`} }`;
  it.each([
    [[limited('1m', '')], 0, false],
    [[limited('1m', '')], 59, false],
    [[limited('1m', '')], 60, true],
    [[limited('', '1m')], 0, false],
    [[limited('', '1m')], 60, true],
    [[limited('', '1m')], 61, false],
    [[limited('', '1h'), limited('', '1m')], 61, false],
    [[limited('1m', ''), limited('2m', '')], 119, false],
    [[limited('2m', ''), limited('', '1m')], 90, false],
    [[limited('', ''), limited('', '1m')], 61, false],
    [[limited('', '')], 0, true],
  ])('with %j for %i seconds: %s', (texts, wrapTtl, allowed) => {
    expect(aclOf(...texts).decide({ path: 'a', capability: 'read', wrapTtl }).allowed).toBe(allowed);
    expect(aclOf(...texts).decide({ path: 'a', capability: 'read' }).allowed).toBe(true);
  });
});

describe('parameters', () => {
  const rule = (body: string) => `path "a" { capabilities = ["update", "list", "delete", "patch"] ${body} }`;
  const allows = (body: string | string[], data?: Record<string, unknown>, capability: Verb = 'update') =>
    aclOf(...[body].flat().map(rule)).decide({ path: 'a', capability, data }).allowed;

  it.each<[string | string[], Record<string, unknown>, boolean]>([
    ['allowed_parameters = { x = [] }', { x: 'any' }, true],
    ['allowed_parameters = { x = [] }', { X: 1 }, true],
    ['allowed_parameters = { x = [] }', { y: 1 }, false],
    ['allowed_parameters = { x = [] }', {}, true],
    ['allowed_parameters = { x = ["1", 2, true] }', { x: 1 }, true],
    ['allowed_parameters = { x = ["1", 2, true] }', { x: '2' }, true],
    ['allowed_parameters = { x = ["1", 2, true] }', { x: 'true' }, true],
    ['allowed_parameters = { x = ["1", 2, true] }', { x: 3 }, false],
    ['allowed_parameters = { x = ["1"] }', { x: ['1'] }, false],
    ['allowed_parameters = { x = [["a", 1]] }', { x: ['a', 1] }, true],
    ['allowed_parameters = { x = [{ a = 1 }] }', { x: { a: 1, b: 2 } }, false],
    ['allowed_parameters = { x = ["a*", "*z", "*mid*"] }', { x: 'ab' }, true],
    ['allowed_parameters = { x = ["a*", "*z", "*mid*"] }', { x: 'bz' }, true],
    ['allowed_parameters = { x = ["a*", "*z", "*mid*"] }', { x: 'amidst' }, true],
    ['allowed_parameters = { x = ["a*", "*z", "*mid*"] }', { x: 'b' }, false],
    ['allowed_parameters = { "*" = [] }', { y: 1 }, true],
    ['allowed_parameters = { "*" = [], x = ["1"] }', { y: 1, x: '1' }, true],
    ['allowed_parameters = { "*" = [], x = ["1"] }', { x: '2' }, false],
    ['denied_parameters = { "*" = [] }', { y: 1 }, false],
    ['denied_parameters = { "*" = [] }', {}, true],
    ['denied_parameters = { x = [] }', { X: null }, false],
    ['denied_parameters = { x = ["root*"] }', { x: 'rooted' }, false],
    ['denied_parameters = { x = ["root"] }', { x: 'other' }, true],
    ['denied_parameters = { x = ["root"] }', { x: ['other', 'root'] }, false],
    ['denied_parameters = { x = ["root"] }', { x: 'other, root' }, false],
    ['denied_parameters = { x = ["*"] }', { x: 'anything' }, false],
    ['denied_parameters = { x = [] } allowed_parameters = { "*" = [] }', { x: 1 }, false],
    ['required_parameters = ["x"]', { y: 1 }, false],
    ['required_parameters = ["x"]', {}, false],
    ['required_parameters = ["X"]', { x: '' }, true],
    ['required_parameters = ["constructor"]', {}, false],
    [['allowed_parameters = { x = ["1"] }', 'allowed_parameters = { x = ["2"], y = [] }'], { x: 2, y: 3 }, true],
    [['allowed_parameters = { x = ["1"] }', 'allowed_parameters = { x = [] }'], { x: 9 }, true],
    [['', 'allowed_parameters = { x = [] }'], { y: 1 }, false],
    [['denied_parameters = { x = ["1"] }', 'denied_parameters = { x = [] }'], { x: 2 }, false],
    [['required_parameters = ["x"]', 'required_parameters = ["y"]'], { x: 1 }, false],
  ])('%j with %j: %s', (body, data, allowed) => {
    expect(allows(body, data)).toBe(allowed);
    expect(allows(body, data, 'patch')).toBe(allowed);
  });

  it('are checked only if the rule has restrictions and the request has parameters', () => {
    const body = 'denied_parameters = { "*" = [] } required_parameters = ["y"]';
    expect(allows(body)).toBe(true);
    expect([allows(body, { x: 1 }, 'list'), allows(body, { x: 1 }, 'delete')]).toEqual([true, true]);
  });

  it('are named in the decision, without their values', () => {
    const { reason, detail } = aclOf(rule('denied_parameters = { x = ["s3cret"] }')).decide({
      path: 'a',
      capability: 'update',
      data: { x: 's3cret' },
    });
    expect([reason, detail]).toEqual(['parameters', 'the parameter "x", or this value of it, is denied']);
  });
});
