import { describe, expect, it } from 'vitest';
import { accessRate } from './rate.ts';

const kindOf = (method: string, path: string) =>
  accessRate.kindOf(method, { parts: ['v1', ...path.split('/')] } as never);

describe('how requests count', () => {
  it.each([
    'auth/cert/login',
    'auth/jwt/login/deploy',
    'auth/team/cert/login',
    // Whatever a mount is called.
    'auth/certs/login',
    'auth/ci-role/login',
    'auth/team/crls/login',
  ])('%s lets somebody in', (path) => {
    expect([kindOf('POST', path), kindOf('PUT', path)]).toEqual(['login', 'login']);
    expect(kindOf('GET', path)).toBe('request');
  });

  it.each(['auth/cert/certs/web', 'auth/token/lookup-self', 'secret/login', 'auth/cert/login/a/b'])(
    '%s does not',
    (path) => {
      expect(kindOf('POST', path)).toBe('request');
    },
  );

  it.each(['sys/health', 'sys/seal-status', 'sys/leader', 'sys/init'])('%s does not count', (path) => {
    expect(kindOf('GET', path)).toBe('free');
  });
});
