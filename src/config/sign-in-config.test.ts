import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from './config.ts';
import { ConfigError } from './config-error.ts';

const FILE = `
listeners:
  - { address: 127.0.0.1:8200, services: [workspaces], plain_http: true }
storage: { type: sqlite, directory: data }
keyring_file: keyring.json
`;
const OIDC = 'oidc: { issuer: "https://id.example.com", client_id: lockkeeper';

describe('sign_in', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'lockkeeper-'));
    writeFileSync(join(folder, 'secret'), 'between us\n');
    writeFileSync(join(folder, 'empty'), ' \n');
    writeFileSync(join(folder, 'large'), 'x'.repeat(5000));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const load = (signIn: string, environment: Record<string, string> = {}) =>
    loadConfig({ file: `${FILE}sign_in: { ${signIn} }`, environment, flags: [] }, folder).signIn;
  const refusal = (signIn: string) => {
    try {
      load(signIn);
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
      throw error;
    }
    throw new Error('the configuration was accepted');
  };

  it('lasts as long as is said', () => {
    expect(load('')).toEqual({
      sessionIdle: 28_800,
      sessionLifetime: 86_400,
      reauthenticateAfter: 3600,
      organizationProviders: true,
      passkeys: true,
      invitedAccountsPerDay: 500,
    });
    expect(load('session_lifetime: 4h')).toMatchObject({ sessionIdle: 14_400, sessionLifetime: 14_400 });
    expect(load('session_idle: 30m, session_lifetime: 1h')).toMatchObject({ sessionIdle: 1800 });
    expect(load('reauthenticate_after: 5m')).toMatchObject({ reauthenticateAfter: 300 });
    expect(load('reauthenticate_after: 0s')).toMatchObject({ reauthenticateAfter: 0 });
  });

  it.each([
    ['session_idle: 1m', 'sign_in.session_idle: found "1m"; allowed: 300s to 86400s'],
    ['session_idle: 25h', 'sign_in.session_idle: found "25h"; allowed: 300s to 86400s'],
    ['session_lifetime: 1m', 'sign_in.session_lifetime: found "1m"'],
    ['session_lifetime: soon', 'sign_in.session_lifetime: found "soon"'],
    ['reauthenticate_after: 1s', 'sign_in.reauthenticate_after: found "1s"; allowed: 60s'],
    ['reauthenticate_after: never', 'sign_in.reauthenticate_after: found "never"'],
    ['oidc: {}', 'sign_in.oidc'],
    ['oidc: { issuer: "http://id.example.com", client_id: x }', 'sign_in.oidc.issuer'],
    ['oidc: { issuer: "https://id.example.com?x", client_id: x }', 'sign_in.oidc.issuer'],
    [`${OIDC}, create: sometimes }`, 'sign_in.oidc.create'],
    [`${OIDC}, teams: [{ group: a }] }`, 'sign_in.oidc.teams'],
    [`${OIDC}, policies: [{ group: a, policy: root }] }`, 'sign_in.oidc.policies'],
    [`${OIDC}, policies: [{ group: a, policy: ROOT }] }`, 'sign_in.oidc.policies'],
    [`${OIDC}, policies: [{ group: a }] }`, 'sign_in.oidc.policies'],
    ['passkeys: maybe', 'sign_in.passkeys'],
    [`${OIDC}, allowed_addresses: ["10.0.0.0/99"] }`, 'sign_in.oidc.allowed_addresses'],
    [`${OIDC}, client_secret: a, client_secret_file: secret }`, 'sign_in.oidc.client_secret: found beside'],
    [`${OIDC}, client_secret_file: none }`, 'sign_in.oidc.client_secret_file: cannot read'],
    [`${OIDC}, client_secret_file: empty }`, 'sign_in.oidc.client_secret_file: no usable secret'],
    [`${OIDC}, client_secret_file: large }`, 'sign_in.oidc.client_secret_file: no usable secret'],
    [`${OIDC}, passwords: true }`, 'sign_in.oidc'],
  ])('%s: refused', (signIn, message) => {
    expect(refusal(signIn)).toContain(message);
  });

  it('has a provider with what is not said', () => {
    expect(load(`${OIDC} }`)?.oidc).toEqual({
      ...{ name: 'single sign-on', issuer: 'https://id.example.com', clientId: 'lockkeeper' },
      scopes: ['openid', 'profile', 'email'],
      claims: { name: 'preferred_username', email: 'email', groups: 'groups' },
      rules: { create: 'invited', linkByEmail: false, ssoTeamIds: true, teams: [], siteAdminGroups: [] },
      allowedAddresses: [],
    });
  });

  it('has a provider as it is said', () => {
    const oidc = load(
      `${OIDC}, client_secret_file: secret, scopes: [openid, groups], claims: { groups: realm_access.roles },
        create: never, authorities_file: ca.pem }`,
    )?.oidc;
    expect(oidc).toMatchObject({
      ...{ clientSecret: 'between us', scopes: ['openid', 'groups'], authoritiesFile: join(folder, 'ca.pem') },
      claims: { name: 'preferred_username', email: 'email', groups: 'realm_access.roles' },
      rules: { create: 'never' },
    });
  });

  it('never repeats the secret', () => {
    expect(refusal(`${OIDC}, client_secret: marked, client_secret_file: secret }`)).not.toContain('marked');
    expect(refusal(`${OIDC}, client_secret: [marked] }`)).not.toContain('marked');
  });
});
