import { describe, expect, it } from 'vitest';
import { ignoreRules } from './ignore-rules.ts';

describe('.terraformignore', () => {
  it.each([
    ['.git/config', '', true],
    ['a/.git/HEAD', '', true],
    ['.gitignore', '', false],
    ['.terraform/providers/x', '', true],
    ['.terraform/modules/modules.json', '', false],
    ['main.tf', '', false],
    ['secret.tfvars', '*.tfvars', true],
    ['a/b/secret.tfvars', '*.tfvars', true],
    ['a/b/secret.tfvars', '/*.tfvars', false],
    ['a/b', 'a/?', true],
    ['a/bc', 'a/?', false],
    ['test/x/y.tf', 'test/', true],
    ['test', 'test/', false],
    ['deep/test/x', 'test/', true],
    ['deep/test/x', '/test/', false],
    ['keep.log', '*.log\n!keep.log', false],
    ['keep.log', '!keep.log\n*.log', true],
    ['.git/config', '!.git/config', false],
    ['# note', '# note', false],
    ['a.b', 'a?b', true],
    ['axb', 'a.b', false],
    ['a+b(1).tf', 'a+b(1).tf', true],
    ['x*y', 'x\\*y', true],
    ['xay', 'x\\*y', false],
    ['a-b', 'a-b', true],
    ['Secrets.tfvars', '[Ss]ecrets.tfvars', true],
    ['tecrets.tfvars', '[Ss]ecrets.tfvars', false],
    ['a/id.key7', '*.key[0-9]', true],
    ['b.tf', '[^a].tf', true],
    ['a.tf', '[^a].tf', false],
    ['].tf', '[]x].tf', true],
    ['[a].tf', '\\[a].tf', true],
  ])('%s with %j is left out: %s', (path, text, isIgnored) => {
    expect(ignoreRules(text).ignores(path, false)).toBe(isIgnored);
  });

  it.each(['secret[.tfvars', '[]', '[[:alpha:]].tf', '[z-a]'])('refuses %s', (pattern) => {
    expect(() => ignoreRules(pattern)).toThrow(`.terraformignore: the pattern ${pattern} has a set of characters`);
  });

  it('skips a folder only if no later rule takes something in it back', () => {
    expect(ignoreRules('').skips('.git')).toBe(true);
    expect(ignoreRules('').skips('.terraform')).toBe(false);
    expect(ignoreRules('node_modules/').skips('node_modules')).toBe(true);
    expect(ignoreRules('node_modules/\n!node_modules/kept').skips('node_modules')).toBe(false);
    expect(ignoreRules('node_modules/').skips('modules')).toBe(false);
  });

  it('leaves out a folder without its files', () => {
    expect(ignoreRules('test/').ignores('test', true)).toBe(true);
  });
});
