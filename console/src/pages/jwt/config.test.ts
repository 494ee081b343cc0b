import { describe, expect, test } from 'vitest';
import { type Config, filledOf, written } from './config.ts';

const PEM = '-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----';
const config = (values: Partial<Config>) => values as Config;
const COMMON = { bound_issuer: '', jwt_supported_algs: [], default_role: '' };

describe("the form of a mount's configuration", () => {
  test('is written back as it was read', () => {
    const two = [
      { jwks_url: 'https://a.example', jwks_ca_pem: '' },
      { jwks_url: 'https://b.example', jwks_ca_pem: 'x' },
    ];
    for (const one of [
      { oidc_discovery_url: 'https://a.example', oidc_discovery_ca_pem: 'x', bound_issuer: 'b', default_role: 'c' },
      { jwks_url: 'https://a.example/keys', jwks_ca_pem: '', jwt_supported_algs: ['ES256', 'RS256'] },
      { jwks_pairs: two },
      { jwt_validation_pubkeys: [PEM, PEM] },
    ]) {
      expect(written(filledOf(config(one)))).toEqual({ ...COMMON, ...one });
    }
  });

  test('has one source only, by default the issuer', () => {
    const empty = filledOf(undefined);
    expect(empty).toMatchObject({ source: 'discovery', pairs: [{ url: '', authorities: '' }] });
    const after = { ...filledOf(config({ jwks_url: 'https://a.example' })), source: 'pem' as const, keys: 'nothing' };
    expect(written({ ...after, skips: true })).toEqual({
      ...COMMON,
      jwt_validation_pubkeys: ['nothing'],
      skip_jwks_validation: true,
    });
  });
});
