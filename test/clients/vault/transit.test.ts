import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Command, type Finished } from '../../support/command.ts';
import { createRoot } from '../../support/pki.ts';
import { Vault } from './vault.ts';

/** Keyring of a server, wrapped by the transit engine of an unmodified Vault. */
describe('a keyring wrapped by transit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-transit-'));
  const authority = createRoot({ subject: 'Vault CA' });
  const machines = createRoot({ subject: 'Machine CA' });
  let vault: Vault;
  let token: string;

  const at = (name: string) => join(folder, name);
  const configure = (wrap: string, name = 'lockkeeper.yaml'): void =>
    writeFileSync(
      at(name),
      `listeners: [{ address: "127.0.0.1:0", services: [access, workspaces], plain_http: true }]
storage: { type: sqlite, directory: data }
keyring_file: keyring.json
keyring_wrap: ${wrap}
limits: { lame_duck: 0s }
`,
    );
  const secure = (more: string, key = 'lockkeeper') =>
    `{ type: transit, address: "${vault.secure}", authorities_file: vault-ca.pem, key: ${key}, wait: 2s, ${more} }`;
  const run = (...args: string[]): Promise<Finished> =>
    new Command([...args, '--config', at('lockkeeper.yaml')]).ended();
  const served = async (): Promise<string> => {
    const command = new Command(['serve', '--config', at('lockkeeper.yaml')]);
    await command.firstLine();
    command.signal('SIGTERM');
    const { stdout, stderr } = await command.ended();
    return stdout + stderr;
  };

  beforeAll(async () => {
    vault = await Vault.start(
      authority.issue({ subject: 'vault', ips: ['127.0.0.1'], extendedKeyUsage: ['serverAuth'] }),
    );
    await vault.write('sys/mounts/transit', { type: 'transit' });
    await vault.write('transit/keys/lockkeeper', { derived: true });
    await vault.write('transit/keys/another', {});
    const paths = ['encrypt', 'decrypt'].map((what) => `path "transit/${what}/*" { capabilities = ["update"] }`);
    await vault.write('sys/policies/acl/keyring', { policy: paths.join('\n') });
    await vault.write('sys/policies/acl/wrap-only', { policy: paths[0] });
    const made = await vault.write('auth/token/create', { policies: ['keyring'] });
    token = made.auth.client_token;
    await vault.write('sys/auth/cert', { type: 'cert' });
    await vault.write('auth/cert/certs/lockkeeper', { certificate: machines.pem, policies: 'keyring' });
    const machine = machines.issue({ subject: 'lockkeeper-1', extendedKeyUsage: ['clientAuth'] });
    writeFileSync(at('vault-ca.pem'), authority.pem);
    writeFileSync(at('token'), `${token}\n`);
    writeFileSync(at('machine.pem'), machine.pem);
    writeFileSync(at('machine.key'), machine.keyPem);
    configure(secure('token_file: token'));
  });
  afterAll(async () => {
    await vault.stop();
    rmSync(folder, { recursive: true });
  });

  test('by a derived key, with a token from a file', async () => {
    expect(await run('init')).toMatchObject({ code: 0, stderr: '' });
    const { wrap } = JSON.parse(readFileSync(at('keyring.json'), 'utf8'));
    expect(wrap).toMatchObject({ type: 'transit', name: `transit/lockkeeper at ${vault.secure}` });
    expect(wrap.data_key).toMatch(/^vault:v1:/);
    expect(await served()).toContain('"msg":"stopped"');
  });

  test('by a login with a certificate, whose token is revoked at once', async () => {
    configure(secure('certificate_file: machine.pem, private_key_file: machine.key, login_role: lockkeeper'));
    expect(await served()).toContain('"msg":"stopped"');
    const accessors = await fetch(`${vault.address}/v1/auth/token/accessors?list=true`, {
      headers: vault.authorization,
    });
    const { keys } = ((await accessors.json()) as { data: { keys: string[] } }).data;
    // The root token, and the token in the file.
    expect(keys).toHaveLength(2);
    const strange = createRoot({ subject: 'Another CA' }).issue({ subject: 'x', extendedKeyUsage: ['clientAuth'] });
    writeFileSync(at('strange.pem'), strange.pem);
    writeFileSync(at('strange.key'), strange.keyPem);
    configure(secure('certificate_file: strange.pem, private_key_file: strange.key'));
    expect((await run('serve')).stderr).toMatch(
      /: the transit server refuses the client certificate at auth\/cert \(status 40[03]\)/,
    );
  });

  test('again by the newest version of the key, after its rotation', async () => {
    configure(secure('token_file: token'));
    await vault.write('transit/keys/lockkeeper/rotate', {});
    expect(await run('keyring', 'rewrap')).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(at('keyring.json'), 'utf8')).wrap.data_key).toMatch(/^vault:v2:/);
    expect(await run('keyring', 'rotate', '--seals-in', '0s')).toMatchObject({ code: 0 });
    expect((await run('keyring', 'list')).stdout).toMatch(/^2 +primary /m);
  });

  test.each([
    [
      'a token that it does not know',
      () => secure('token: hvs.none'),
      /permission denied: the token has expired, or its policy lacks update on transit\/decrypt\/lockkeeper/,
    ],
    [
      'another key',
      () => secure('token_file: token', 'another'),
      /the content of the file cannot be decrypted: another key has wrapped it/,
    ],
    ['a key that is not there', () => secure('token_file: token', 'none'), /: there is no key none/],
    [
      'a mount that is not there',
      () => secure('token_file: token, mount: elsewhere').replace('token_file: token', `token: ${rootToken()}`),
      /there is no transit engine at elsewhere/,
    ],
    [
      'an authority that nobody trusts',
      () => secure('token_file: token').replace('authorities_file: vault-ca.pem, ', ''),
      /the transit server cannot be reached: (UNABLE_TO_\w+|SELF_SIGNED\w+)/,
    ],
    [
      'a token file that is not there',
      () => secure('token_file: nowhere'),
      /the token cannot be read from \S+nowhere: ENOENT/,
    ],
  ])('fails with a clear error for %s', async (_, wrap, reason) => {
    configure(wrap());
    const { code, stderr } = await run('serve');
    expect([code, stderr]).toEqual([1, expect.stringMatching(reason)]);
    expect(stderr).not.toMatch(/hvs\.|vault:v/);
  });
  const rootToken = () => vault.authorization['x-vault-token'];

  test('is not written with a token that may wrap but not unwrap', async () => {
    const { auth } = await vault.write('auth/token/create', { policies: ['wrap-only'] });
    configure(secure(`token: ${auth.client_token}`));
    configure(secure('token_file: token'), 'was.yaml');
    const before = readFileSync(at('keyring.json'), 'utf8');
    const { code, stderr } = await run('keyring', 'rewrap', '--was', at('was.yaml'));
    expect([code, stderr]).toEqual([1, expect.stringMatching(/lacks update on transit\/decrypt\/lockkeeper/)]);
    expect(readFileSync(at('keyring.json'), 'utf8')).toBe(before);
  });

  test('a start waits for a sealed Vault, and reports it', async () => {
    configure(secure('token_file: token').replace('wait: 2s', 'wait: 1s'));
    await vault.write('sys/seal', {});
    const { code, stdout, stderr } = await run('serve');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/is sealed, or cannot answer \(status 503\)/)]);
    expect(stdout).toMatch(
      /"reason":"the transit server is sealed[^"]+","msg":"the keyring cannot be unwrapped yet; retrying"/,
    );
  });
});
