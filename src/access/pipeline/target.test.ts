import { expect, it } from 'vitest';
import { pathIn } from './target.ts';

it.each([
  [['v1', 'auth', 'cert', 'login'], 'auth/cert/login'],
  [['v1', 'auth', 'cert', 'certs', ''], 'auth/cert/certs'],
  [['v1', 'sys', 'policy', "['x']"], "sys/policy/['x']"],
  [['v1', 'v1'], 'v1'],
  [['v1'], ''],
  [['v1', ''], ''],
])('the path in %j is %s', (parts, path) => {
  expect(pathIn({ parts })).toBe(path);
});
