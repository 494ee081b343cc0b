import { describe, expect, it, test } from 'vitest';
import { runAtOnce } from '../../lib/slices.ts';
import { buildAcl, commonRules } from './build-acl.ts';
import { readPolicy } from './read-policy.ts';
import { MAX_SHOWN_BLOCKS } from './rule.ts';
import type { TemplateIdentity, TemplateOwner } from './template.ts';

const identity: TemplateIdentity = {
  id: 'e1',
  name: 'web',
  metadata: { team: 'blue', 'a.b': 'dotted', empty: '' },
  aliases: { auth_cert_1: { id: 'x1', name: 'web.example.com', metadata: { 'common-name': 'web' } } },
};
const read = (text: string) => runAtOnce(readPolicy(text));
const aclFor = (text: string, who?: TemplateIdentity, now = 0, owner: TemplateOwner = { identity: who }) =>
  runAtOnce(buildAcl(runAtOnce(commonRules([{ name: 'p', policy: read(text) }], now)), owner));
const reads = (path: string) => `path "${path}" { capabilities = ["read"] }`;

describe('templates', () => {
  it.each([
    ['s/{{identity.entity.id}}/*', 's/e1/x'],
    ['s/{{ identity.entity.name }}', 's/web'],
    ['s/{{identity.entity.metadata.team}}-{{identity.entity.id}}', 's/blue-e1'],
    ['s/{{identity.entity.metadata.a.b}}', 's/dotted'],
    ['s/{{identity.entity.aliases.auth_cert_1.id}}', 's/x1'],
    ['s/{{identity.entity.aliases.auth_cert_1.name}}', 's/web.example.com'],
    ['s/{{identity.entity.aliases.auth_cert_1.metadata.common-name}}/+', 's/web/x'],
  ])('%s allows this entity to read %s', (template, path) => {
    const acl = aclFor(reads(template), identity);
    expect(acl.decide({ path, capability: 'read' })).toMatchObject({
      allowed: true,
      rule: { blocks: [{ path: template }] },
    });
  });

  it.each<[TemplateIdentity | undefined, string, string]>([
    [undefined, 's/{{identity.entity.id}}', 'the token has no entity'],
    [identity, 's/{{identity.entity.metadata.none}}', 'no value for this token or its entity'],
    [identity, 's/{{identity.entity.metadata.constructor}}', 'no value for this token or its entity'],
    [identity, 's/{{identity.entity.metadata.empty}}', 'no value for this token or its entity'],
    [identity, 's/{{identity.entity.aliases.other.name}}', 'no value for this token or its entity'],
    ...['a/b', '*', 'a*', '+', 'a\u0000', 'a\nb', 'a\u0085'].map<[TemplateIdentity, string, string]>((name) => [
      { ...identity, name },
      's/{{identity.entity.name}}',
      'contains / * + or a control character',
    ]),
  ])('%# drop the block, with a reason', (who, template, because) => {
    const acl = aclFor(reads(template) + reads('other'), who);
    expect(acl.dropped).toEqual([{ policy: 'p', path: template, line: 1, because: expect.stringContaining(because) }]);
    expect(acl.decide({ path: 's/x', capability: 'read' }).reason).toBe('no-rule');
    expect(acl.decide({ path: 'other', capability: 'read' }).allowed).toBe(true);
  });

  it('use the metadata of a token from a login', () => {
    const text = reads('s/{{token.metadata.team}}/{{ token.metadata.1-2-3 }}');
    const decide = (owner: TemplateOwner, path = 's/blue/x') => {
      const acl = aclFor(text, undefined, 0, owner);
      return acl.decide({ path, capability: 'read' }).allowed || acl.dropped[0]?.because;
    };
    expect(decide({ metadata: { team: 'blue', '1-2-3': 'x' } })).toBe(true);
    expect(decide({ metadata: { team: 'red', '1-2-3': 'x' } })).toBeUndefined();
    expect(decide({ identity, metadata: { team: 'blue' } })).toContain('no value for this token');
    expect(decide({ identity, metadata: { team: '', '1-2-3': 'x' } })).toContain('no value for this token');
    expect(decide({ metadata: { team: 'blue', '1-2-3': 'x/*' } })).toContain('contains / * +');
    expect(decide({ identity })).toContain('the token is not from a login');
    expect(aclFor(reads('{{token.metadata.constructor}}'), undefined, 0, { metadata: {} }).dropped).toHaveLength(1);
    for (const unknown of ['token.metadata', 'token.metadata.', 'token.id', 'token.policies.a'])
      expect(() => read(reads(`s/{{${unknown}}}`))).toThrow('unknown template');
  });

  it('also work in values of parameters', () => {
    const text = 'path "a" { capabilities = ["update"] allowed_parameters = { x = [["{{identity.entity.id}}"], 1] } }';
    const decide = (who: TemplateIdentity | undefined, x: unknown) =>
      aclFor(text, who).decide({ path: 'a', capability: 'update', data: { x } }).allowed;
    expect([decide(identity, ['e1']), decide(identity, ['e2']), decide(identity, 1), decide(undefined, 1)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it('distinguish a policy with templates from one without', () => {
    expect(read(reads('a/{{identity.entity.id}}')).templated).toBe(true);
    expect(read(reads('a')).templated).toBe(false);
  });
});

describe('a block that expires', () => {
  const text = 'path "a" { capabilities = ["read"] expiration = "2027-01-01T00:00:00Z" }';
  const end = Date.UTC(2027, 0, 1);

  it('applies until its expiry', () => {
    const before = aclFor(text, undefined, end - 1);
    expect([before.capabilities('a'), before.validUntil]).toEqual([['read'], end]);
    const after = aclFor(text, undefined, end);
    expect([after.capabilities('a'), after.validUntil]).toEqual([['deny'], Number.POSITIVE_INFINITY]);
    expect(after.dropped).toEqual([{ policy: 'p', path: 'a', line: 1, because: 'it has expired' }]);
  });
});

test('many blocks with one path are joined in steps, and the explanation of them is bounded', () => {
  const policy = read(`${reads('a')}\n`.repeat(2000));
  const rules = commonRules([{ name: 'p', policy }], 0);
  let taken = 0;
  for (let step = rules.next(); ; step = rules.next(), taken++) {
    if (!step.done) continue;
    const decision = runAtOnce(buildAcl(step.value, {})).decide({ path: 'a', capability: 'read' });
    expect(decision).toMatchObject({ allowed: true, rule: { policies: ['p'], capabilities: ['read'] } });
    expect(decision.rule?.blocks).toHaveLength(MAX_SHOWN_BLOCKS);
    break;
  }
  // The build visits each block twice: to find its path, and to join it with the others of that path.
  expect(taken).toBeGreaterThan((1.5 * 2000) / 20);
});
