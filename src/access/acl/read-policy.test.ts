import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runAtOnce } from '../../lib/slices.ts';
import { BUILT_IN } from '../policies/built-in.ts';
import { PolicyError } from './language/policy-error.ts';
import { MAX_TEXT_LENGTH } from './language/strings.ts';
import type { PathBlock, Policy } from './policy.ts';
import { MAX_PATH } from './read-block.ts';
import { readPolicy } from './read-policy.ts';
import { MAX_BLOCK_VALUES } from './value-reader.ts';

const read = (...input: Parameters<typeof readPolicy>): Policy => runAtOnce(readPolicy(...input));

const block = (body: string): PathBlock => only(read(`path "a" { ${body} }`));
const only = ({ blocks: [first] }: Policy): PathBlock => {
  if (!first) throw new Error('no block');
  return first;
};
const written = (policy: Policy) =>
  policy.blocks.map(({ path, line, capabilities }) => [path, line, [...capabilities].sort().join()]);

describe('the policy language', () => {
  it('is HCL with comments, and records the line of every block', () => {
    const text = `# one
// two
/* three
   lines */
name = "ignored"
path "/secret/a" { # leading slash
  capabilities = ["read", "list",]
}
path "secret/*" { capabilities = ["create"] comment = "why" }

path "secret/a" {
  policy = "write"
}`;
    expect(written(read(text))).toEqual([
      ['secret/a', 6, 'list,read'],
      ['secret/*', 9, 'create'],
      ['secret/a', 11, 'create,delete,list,read,update'],
    ]);
  });

  it.each([
    ['{"path": {"a": {"capabilities": ["read"]}, "b/*": {"policy": "deny"}}}'],
    ['\uFEFF{"name":"x","path": [{"a": {"capabilities": ["read"]}}, {"b/*": {"capabilities": ["deny","read"]}}]}'],
    ['{"path": {"a": {"capabilities": ["read"]}}, "path": {"b/*": {"capabilities": ["deny"]}}}'],
    ['{"path": {"a": [{"capabilities": ["read"]}], "b/*": [{"policy": "deny"}]}}'],
    ['path = { "a" = { capabilities = ["read"] }, "b/*" = { capabilities = ["deny"] } }'],
    ['"path" "a" { "capabilities" = ["read"] } path "b/*" { policy = "deny" }'],
  ])('accepts JSON and keeps all blocks of a duplicate key: %s', (text) => {
    expect(written(read(text)).map(([path, , capabilities]) => [path, capabilities])).toEqual([
      ['a', 'read'],
      ['b/*', 'deny'],
    ]);
  });

  it.each([
    ['deny', ['deny']],
    ['read', ['list', 'read']],
    ['write', ['create', 'delete', 'list', 'read', 'update']],
    ['sudo', ['create', 'delete', 'list', 'read', 'sudo', 'update']],
  ])('accepts the legacy form %s', (name, capabilities) => {
    expect([...block(`policy = "${name}"`).capabilities].sort()).toEqual(capabilities);
  });

  it('drops all capabilities beside deny', () => {
    expect([...block('capabilities = ["read", "deny", "sudo"]').capabilities]).toEqual(['deny']);
  });

  it('reads parameters with values of every type, by lower-cased name', () => {
    const { allowed, denied, required } = block(`
      allowed_parameters = { "*" = [], Zip = ["a*", 1, -2.5, true, [1, "x"], { a = 1 }] }
      denied_parameters { bad = [] }
      required_parameters = ["Foo", "bar"]`);
    expect([...allowed]).toEqual([
      ['*', []],
      ['zip', ['a*', 1, -2.5, true, [1, 'x'], { a: 1 }]],
    ]);
    expect([...denied]).toEqual([['bad', []]]);
    expect(required).toEqual(['foo', 'bar']);
  });

  it('reads times', () => {
    const body = 'min_wrapping_ttl = 60 max_wrapping_ttl = "1h" expiration = "2027-01-31T12:00:00Z"';
    expect(block(body)).toMatchObject({ minWrapTtl: 60, maxWrapTtl: 3600, expiresAt: Date.UTC(2027, 0, 31, 12) });
  });

  it('reads escapes and heredocs', () => {
    const text = 'path "a\\"\\\\\\n\\x41\\u00e9\\101\\U0001F600" { comment = <<-END\n    one\n      two\n    END\n }';
    expect(only(read(text)).path).toBe('a"\\\nAéA😀');
    expect(only(read('path "a" {\n comment = <<E\nx\nE\n capabilities = ["read"]\n}')).capabilities.size).toBe(1);
  });

  it.each([
    ['path "a" { capabilities = ["write"] }', 'line 1, column 27: path "a": invalid capability "write"; use'],
    ['path "a" {\n capabilites = ["read"] }', 'line 2, column 2: path "a": invalid key "capabilites"'],
    ['rule "a" { }', 'line 1, column 1: invalid key "rule"'],
    ['path "a" { policy = "all" }', 'path "a": invalid policy "all"'],
    ['path "a/+*" { }', `path "a/+*": invalid use of wildcards ('+*' is forbidden)`],
    ['path "a" { capabilities = "read" }', 'expected a list'],
    ['path "a" { capabilities = [1] }', 'expected a string in double quotes'],
    ['path "a" { capabilities = [read] }', 'expected a value'],
    ['path "a" { capabilities = ["read" "list"] }', 'expected a comma or ]'],
    ['path "a" { capabilities = ["read"] capabilities = ["deny"] }', '"capabilities" occurs twice'],
    ['path "a" { allowed_parameters = { a = "b" } }', 'the values of "a" must be a list'],
    ['path "a" { denied_parameters = { a = [], A = ["x"] } }', '"a" occurs twice'],
    ['path "a" { min_wrapping_ttl = "2h" max_wrapping_ttl = "1h" }', 'max_wrapping_ttl cannot be less'],
    ['path "a" { min_wrapping_ttl = "soon" }', 'a duration is'],
    ['path "a" { expiration = "tomorrow" }', 'expected a time such as'],
    ['path "a" { control_group = { factor "x" { } } }', '"control_group" is not supported'],
    ['path "a" { mfa_methods = ["x"] }', '"mfa_methods" is not supported'],
    ['path "a" { pagination_limit = 5 }', '"pagination_limit" is not supported'],
    ['path "{{identity.groups.names.x.age}}" { }', 'unknown template "identity.groups.names.x.age"'],
    ['path "{{identity.entity.age}}" { }', 'unknown template "identity.entity.age"'],
    ['path "{{identity.entity.id" { }', 'must close with }}'],
    ['path "identity.entity.id}}" { }', 'must open with {{'],
    ['path "a" { allowed_parameters = { a = ["{{x}}"] } }', 'unknown template "x"'],
    ['path "a"', 'expected { to open the block, but the text ends'],
    ['path "a" "b" { }', 'a block has exactly one path'],
    ['path "a" = 1', 'expected { to open the block'],
    ['path "a { }', 'line 1, column 6: this string has no end on its line'],
    ['path "a" { ', 'expected a name, but the text ends'],
    ['/* x', 'this comment has no end'],
    ['path "\\q" { }', 'unknown escape'],
    ['path "a" { comment = <<X\nY', 'this string has no end'],
    ["path 'a' { }", `"'" has no meaning here`],
    ['{"path": {"a": {"capabilities" = []}}}', 'expected a colon'],
    ['{"path": {"a": {}} "name": "x"}', 'expected a comma or }'],
    ['{"path": {}} x', 'expected the end of the policy'],
    [`path "a" { comment = ${'['.repeat(40)} }`, 'nested too deeply'],
    ['path "a" { comment = "\0" }', 'invalid Unicode or a NUL character'],
  ])('refuses %j', (text, message) => {
    expect(() => read(text)).toThrow(PolicyError);
    expect(() => read(text)).toThrow(message);
  });

  it('has limits', () => {
    expect(() => read('#'.repeat(20), { length: 19, paths: 1 })).toThrow('at most 19 characters');
    expect(() => read('path "a" {} path "b" {}', { length: 99, paths: 1 })).toThrow('at most 1 paths');
  });

  it.each([
    ['a/*/b', '* is a wildcard only at the end'],
    ['a/b+/c', '+ is a wildcard only as a whole segment'],
    ['v1/a', 'without the leading v1/'],
  ])('warns about %s', (path, warning) => {
    expect(read(`path "${path}" {}`).warnings).toEqual([expect.stringContaining(warning)]);
    expect(read('path "a/+/b/*" {}').warnings).toEqual([]);
  });

  it('parses the built-in policies', () => {
    for (const text of BUILT_IN.values()) expect(read(text).warnings).toEqual([]);
  });

  it.each([
    ['values', `path "a" { allowed_parameters = { x = [${'1,'.repeat(MAX_BLOCK_VALUES - 2)}] } }`],
    ['capabilities', `path "a" { capabilities = [${'"read",'.repeat(MAX_BLOCK_VALUES)}] }`],
    ['lines', `path "a" { comment = <<-E\n${' x\n'.repeat(MAX_TEXT_LENGTH / 4)}E\n}`],
    ['escapes', `path "a" { comment = "${'\\n'.repeat(MAX_TEXT_LENGTH / 2 - 1)}" }`],
  ])('reads many %s, and refuses too many', (_, text) => {
    expect(read(text).blocks).toHaveLength(1);
    const more = text.replace(/(1,|"read",|\n x|\\n)/, (one) => one.repeat(MAX_TEXT_LENGTH / 8));
    expect(() => read(more)).toThrow(/(a block|a string) may have at most [\d]+ (values|characters)/);
  });

  it('limits the length of paths', () => {
    expect(read(`path "${'a'.repeat(MAX_PATH)}" {}`).blocks).toHaveLength(1);
    expect(() => read(`path "${'a'.repeat(MAX_PATH + 1)}" {}`)).toThrow(`at most ${MAX_PATH} characters`);
  });

  it('reads many comments', () => {
    expect(read('#\n/**/'.repeat(80_000)).blocks).toEqual([]);
  });

  it.each([
    ['blocks', 'path "a" {}\n'.repeat(1000)],
    ['values', `path "a" { allowed_parameters = { x = [${'1,'.repeat(5000)}] } }`],
    ['members', `{"path": {${Array.from({ length: 1000 }, (_, i) => `"a${i}": {"capabilities": []}`).join()}}}`],
  ])('yields after every few %s', (_, text) => {
    const steps = readPolicy(text);
    let taken = 0;
    while (!steps.next().done) taken++;
    expect(taken).toBeGreaterThan(90);
  });

  it('does not read the text before its first slice, which may be all comments', () => {
    const steps = readPolicy(`${'#\n'.repeat(250_000)}!`);
    expect(steps.next().done).toBe(false);
    expect(() => runAtOnce(steps)).toThrow('line 250001, column 1: ');
  });

  it('accepts every kind of white space', () => {
    const spaces = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter((one) =>
      /[\s\uFEFF]/.test(one),
    );
    expect(read(`${spaces.join('')}path${spaces.join('')}"a" {}`).blocks).toHaveLength(1);
  });

  it('limits the length of words', () => {
    expect(() => read(`path "a" { ${'b'.repeat(500_000)} = 1 }`)).toThrow(
      `line 1, column 12: a string may have at most ${MAX_TEXT_LENGTH} characters`,
    );
  });

  it('parses any text or reports its fault', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'path ',
        '"a/*" ',
        '{ ',
        '} ',
        '[',
        ']',
        '=',
        ':',
        ',',
        '\n',
        '#',
        '//',
        '/*',
        '*/',
        '<<E\n',
        '\nE\n',
      ),
      fc.constantFrom('capabilities = ["read"]', 'policy = "deny"', '"', '\\', '{{', '}}', '1e9', 'true', '"x": '),
      fc.string({ unit: 'binary', maxLength: 5 }),
    );
    const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, (one) => {
        try {
          read(one);
        } catch (error) {
          expect(error).toBeInstanceOf(PolicyError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('parses the JSON form of a policy to the same values', () => {
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.string().filter((s) => !/\{\{|\}\}|\0/.test(s)),
        fc.integer(),
        fc.boolean(),
        tie('list'),
      ),
      list: fc.array(tie('value'), { maxLength: 3 }),
    })).list;
    fc.assert(
      fc.property(value, (values) => {
        const text = JSON.stringify({ path: { a: { allowed_parameters: { x: values } } } });
        expect(only(read(text)).allowed.get('x')).toEqual(values);
      }),
    );
  });
});
