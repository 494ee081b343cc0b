import { describe, expect, it } from 'vitest';
import { targetPath } from './target.ts';

describe('the path of a URL', () => {
  it.each([
    ['/v1/auth/cert/login', 'auth/cert/login'],
    ['/v1/auth/cert/certs/?list=true', 'auth/cert/certs'],
    ['/v1/auth/cert/certs/a%2Eb', 'auth/cert/certs/a.b'],
    ['/v1/auth/a%2Fb/login', 'auth/a/b/login'],
    ['/v1/sys/policy/%5B%27x%27%5D', "sys/policy/['x']"],
    ['/v1/auth/cert/certs/%252e', 'auth/cert/certs/%2e'],
    ['/v1', ''],
    ['/v1/', ''],
  ])('of %s is %s', (url, path) => {
    expect(targetPath(url)).toBe(path);
  });

  it.each([
    '/v1/sys/../auth',
    '/v1/sys/%2e%2e/auth',
    '/v1/sys/./auth',
    '/v1/sys//auth',
    '/v1//sys',
    '/v1/auth/cert/certs//',
    '/v1/a%00b',
    '/v1/a%0Ab',
    '/v1/%ZZ',
    '/v1/%ff',
    `/v1/${'a'.repeat(3000)}`,
  ])('%s has no one meaning', (url) => {
    expect(() => targetPath(url)).toThrow(expect.objectContaining({ kind: 'bad-request' }));
  });
});
