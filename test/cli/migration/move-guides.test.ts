import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fullOrganization } from '../../migration/support/full-organization.ts';
import { commandsOfGuide, jsonOfGuide, runLine } from '../../migration/support/guide-commands.ts';
import { startTwoServers, type TwoServers } from '../../migration/support/two-servers.ts';

/** Runs the commands of the guides, in their order. Another Lockkeeper is the source: its API is that of HCP Terraform. */
describe('the guides to move in', { timeout: 120_000 }, () => {
  let folder: string;
  let servers: TwoServers;
  let environment: Record<string, string>;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lockkeeper-guide-'));
    servers = await startTwoServers('sqlite');
    const { old, fresh } = servers;
    await fullOrganization(old);
    writeFileSync(join(folder, 'old-ca.pem'), old.ca);
    writeFileSync(join(folder, 'ca.pem'), fresh.ca);
    environment = {
      LOCKKEEPER_ADDR: fresh.address,
      LOCKKEEPER_CACERT: join(folder, 'ca.pem'),
      LOCKKEEPER_TOKEN: fresh.userToken,
      LOCKKEEPER_ORGANIZATION: 'acme',
      LOCKKEEPER_SOURCE_ADDR: old.address,
      LOCKKEEPER_SOURCE_CACERT: join(folder, 'old-ca.pem'),
      LOCKKEEPER_SOURCE_TOKEN: old.userToken,
    };
  });
  afterEach(async () => {
    await servers.stop();
    rmSync(folder, { recursive: true });
  });

  const follow = async (guide: string): Promise<readonly string[]> => {
    const outputs: string[] = [];
    for (const line of commandsOfGuide(guide)) {
      const { code, stdout, stderr } = await runLine(line, folder, environment);
      expect(code, `${line}: ${stderr}`).toBe(0);
      outputs.push(stdout);
    }
    return outputs;
  };
  const isLocked = async (name: string) =>
    (await servers.old.user('GET', `/api/v2/organizations/acme/workspaces/${name}`)).body.data.attributes.locked;
  const resources = async (path: string) => (await servers.fresh.user('GET', `/api/v2${path}`)).body.data;

  it('from HCP Terraform: everything is here at the end, and the switched workspace is locked there', async () => {
    writeFileSync(join(folder, 'secrets.json'), jsonOfGuide('move-from-hcp-terraform.md'));
    const outputs = await follow('move-from-hcp-terraform.md');
    expect(outputs).toHaveLength(9);
    expect(outputs[0]).toContain('\nThis is a plan. Add --apply to make these changes.\n');
    expect(outputs[1]).toMatch(/\nDone: \d+ created, .* 1 state version copied, .*2 sensitive to fill in\.\n$/);
    expect(outputs[2]).toMatch(/\nDone: 2 created, .* not taken\.\n$/);
    expect(outputs[3]).toContain('+ member m@example.com\n');
    expect(outputs[6]).toContain('~ schedule app: nightly (paused)\n');
    expect(outputs[8]).toContain('\nNothing to do: ');
    expect([await isLocked('network'), await isLocked('app')]).toEqual([true, false]);
    expect(await resources('/organizations/acme/workspaces')).toHaveLength(2);
    expect(await resources('/organizations/acme/organization-memberships')).toHaveLength(2);
  });

  it('from OTF: both workspaces are here at the end, and locked there', async () => {
    const outputs = await follow('move-from-otf.md');
    expect(outputs).toHaveLength(3);
    expect(outputs[1]).toMatch(/\nDone: \d+ created, .* 2 state versions copied/);
    expect(outputs[2]).toContain('\nNothing to do: ');
    expect([await isLocked('network'), await isLocked('app')]).toEqual([true, true]);
  });
});
