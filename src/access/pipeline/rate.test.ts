import { describe, expect, it } from 'vitest';
import { accessRate } from './rate.ts';

const kindOf = (method: string, path: string) =>
  accessRate.kindOf(method, { parts: ['v1', ...path.split('/')] } as never);

describe('rate limit classes of requests', () => {
  it.each([
    'auth/cert/login',
    'auth/jwt/login/deploy',
    'auth/team/cert/login',
    // Mounts with unusual names.
    'auth/certs/login',
    'auth/ci-role/login',
    'auth/team/crls/login',
  ])('%s is a login', (path) => {
    expect([kindOf('POST', path), kindOf('PUT', path)]).toEqual(['login', 'login']);
    expect(kindOf('GET', path)).toBe('request');
  });

  it.each(['auth/cert/certs/web', 'auth/token/lookup-self', 'secret/login', 'auth/cert/login/a/b'])(
    '%s is not a login',
    (path) => {
      expect(kindOf('POST', path)).toBe('request');
    },
  );

  it.each(['sys/health', 'sys/seal-status', 'sys/leader', 'sys/init'])('%s is not counted', (path) => {
    expect(kindOf('GET', path)).toBe('free');
  });
});
