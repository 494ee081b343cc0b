import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandsOfGuide, runLine } from '../../migration/support/guide-commands.ts';
import { Command, type Finished } from '../../support/command.ts';
import { call } from '../../support/http.ts';
import { createRoot } from '../../support/pki.ts';
import { type Serving, startServing } from '../support/serving.ts';
import { Vault } from './vault.ts';

/** `lockkeeper import vault` takes the configuration of an unmodified Vault. */
describe('a move from Vault', { timeout: 120_000 }, () => {
  const authority = createRoot({ subject: 'Machines' });
  let serving: Serving;
  let vault: Vault;
  beforeAll(async () => {
    [serving, vault] = await Promise.all([startServing(), Vault.start()]);
    await vault.write('sys/policies/acl/web', { policy: 'path "auth/token/lookup-self" { capabilities = ["read"] }' });
    await vault.write('sys/auth/machines', { type: 'cert', config: { default_lease_ttl: '1h' } });
    await vault.write('sys/auth/ci', { type: 'jwt' });
    await vault.write('sys/mounts/keys', { type: 'transit' });
    await vault.write('auth/machines/certs/web', {
      ...{ certificate: authority.pem, allowed_common_names: ['*.example.com'], token_policies: ['web'] },
      token_ttl: '20m',
    });
    const revoked = authority.issue({ subject: 'gone' });
    await vault.write('auth/machines/crls/ours', { crl: authority.crl({ revoked: [revoked.serial] }).pem });
    await vault.write('auth/ci/role/build', { role_type: 'jwt', user_claim: 'sub', bound_audiences: ['x'] });
    const { data } = await vault.write('identity/entity', { name: 'web-1', policies: ['web'] });
    await vault.write('identity/group', { name: 'servers', member_entity_ids: [data.id] });
  });
  afterAll(async () => {
    await Promise.all([serving.stop(), vault.stop()]);
  });

  const run = (...args: string[]): Promise<Finished> =>
    new Command(['import', 'vault', '--source-address', vault.address, ...args], {
      LOCKKEEPER_ADDR: serving.address,
      LOCKKEEPER_CACERT: serving.caFile,
      LOCKKEEPER_TOKEN: serving.rootToken,
      LOCKKEEPER_SOURCE_TOKEN: vault.authorization['x-vault-token'],
    }).ended();
  const read = async (path: string) => {
    const server = { address: serving.address, ca: readFileSync(serving.caFile, 'utf8') };
    return (await call(server, 'GET', `/v1/${path}`, { token: serving.rootToken })).body.data;
  };

  it('plans, takes everything that it can, and says what it cannot take', async () => {
    const plan = await run();
    expect([plan.code, plan.stderr]).toEqual([0, '']);
    expect(plan.stdout).toContain('+ certificate role machines/: web\n');
    expect(plan.stdout).toContain(
      '! CRL machines/: ours: no server returns it; upload it: lockkeeper write auth/machines/crls/ours',
    );
    expect(plan.stdout).toContain('! secrets engine keys/ (transit): Lockkeeper stores no secrets\n');
    const applied = await run('--apply');
    expect(applied.code, applied.stdout + applied.stderr).toBe(0);
    expect(applied.stdout).toMatch(/^Done: \d+ created, 0 changed, /m);
    expect(await read('auth/machines/certs/web')).toMatchObject({
      ...{ allowed_common_names: ['*.example.com'], token_policies: ['web'], token_ttl: 1200 },
      certificate: authority.pem,
    });
    const { id } = await read('identity/entity/name/web-1');
    expect((await read('identity/group/name/servers')).member_entity_ids).toEqual([id]);
    expect((await run('--apply')).stdout).toMatch(/^Nothing to do: /m);
  });

  it('follows its guide', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-guide-'));
    const outputs: string[] = [];
    for (const line of commandsOfGuide('move-from-vault.md')) {
      const { code, stdout, stderr } = await runLine(line, folder, {
        LOCKKEEPER_ADDR: serving.address,
        LOCKKEEPER_CACERT: serving.caFile,
        LOCKKEEPER_TOKEN: serving.rootToken,
        LOCKKEEPER_SOURCE_ADDR: vault.address,
        LOCKKEEPER_SOURCE_TOKEN: vault.authorization['x-vault-token'],
      });
      expect(code, `${line}: ${stderr}`).toBe(0);
      outputs.push(stdout);
    }
    rmSync(folder, { recursive: true });
    expect(outputs).toHaveLength(4);
    for (const output of [outputs[1], outputs[3]]) expect(output).toMatch(/^Nothing to do: /m);
  });

  it('refuses a token that Vault does not know', async () => {
    const { code, stderr } = await new Command(['import', 'vault', '--source-address', vault.address], {
      LOCKKEEPER_ADDR: serving.address,
      LOCKKEEPER_CACERT: serving.caFile,
      LOCKKEEPER_TOKEN: serving.rootToken,
      LOCKKEEPER_SOURCE_TOKEN: 'hvs.unknown',
    }).ended();
    expect(code).toBe(3);
    expect(stderr).toContain('may not list the auth methods');
    expect(stderr).not.toContain('hvs.unknown');
  });
});
