import { describe, expect, it } from 'vitest';
import { compilePattern, workspaceName } from './pattern.ts';

describe('a pattern of state files', () => {
  const named = (text: string, path: string, template?: string) => {
    const pattern = compilePattern(text);
    const values = pattern.match(path);
    return values && workspaceName(pattern, values, template);
  };

  it.each([
    ['envs/{name}/terraform.tfstate', 'envs/prod/terraform.tfstate', undefined, 'prod'],
    ['{env}/{component}.tfstate', 'prod/web.tfstate', undefined, 'prod-web'],
    ['{env}/{component}.tfstate', 'prod/web.tfstate', '{component}_{env}', 'web_prod'],
    ['{project}/{name}.tfstate', 'net/web.tfstate', undefined, 'web'],
    ['env:/{name}/network.tfstate', 'env:/blue/network.tfstate', undefined, 'blue'],
    ['{name}.tfstate', 'a b.c.tfstate', undefined, 'a-b-c'],
    ['a.b/{name}', 'aXb/x', undefined, undefined],
    ['{name}.tfstate', 'x/y.tfstate', undefined, undefined],
    ['{name}.tfstate', 'y.tfstate.backup', undefined, undefined],
  ])('%s matches %s', (text, path, template, name) => {
    expect(named(text, path, template)).toBe(name);
  });

  it.each(['terraform.tfstate', '{name}/{name}'])('%s is refused', (text) => {
    expect(() => compilePattern(text)).toThrow('needs a placeholder');
  });
});
