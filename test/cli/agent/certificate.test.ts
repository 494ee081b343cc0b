import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRoot } from '../../support/pki.ts';
import { Installation } from '../../support/runner/installation.ts';
import { hasEngine } from '../../support/runner/run.ts';

const REFUSED = /failed: [^\n]*The agent takes no jobs until it succeeds/g;

describe.skipIf(!hasEngine)('an agent with a certificate (needs terraform)', () => {
  const authority = createRoot({ subject: 'Agents CA' });
  const first = authority.issue({ subject: 'agent-1' });
  const renewed = authority.issue({ subject: 'agent-1' });
  let installation: Installation;
  let config: string;

  const present = ({ pem, keyPem }: { pem: string; keyPem: string }): void => {
    writeFileSync(join(installation.folder, 'agent.pem'), pem);
    writeFileSync(join(installation.folder, 'agent.key'), keyPem);
  };
  const revoke = async (serials: readonly bigint[]): Promise<void> => {
    const crl = authority.crl({ revoked: [...serials] });
    expect((await installation.root('POST', 'auth/cert/crls/agents', { crl: crl.pem })).status).toBeLessThan(300);
  };

  beforeAll(async () => {
    installation = await Installation.start();
    const role = { certificate: authority.pem, token_ttl: 9 };
    expect((await installation.root('POST', 'auth/cert/certs/agents', role)).status).toBeLessThan(300);
    const attributes = { mount: 'cert', role: 'agents', 'common-name': 'agent-*' };
    const identity = await installation.user('POST', `/agent-pools/${installation.pool}/machine-identities`, {
      data: { type: 'machine-identities', attributes },
    });
    expect(identity.status, identity.text).toBe(201);
    present(first);
    config = join(installation.folder, 'agent.yaml');
    writeFileSync(
      config,
      `address: ${installation.address}
ca_cert: ca.pem
cert: agent.pem
key: agent.key
role: agents
isolation: none
engine: /usr/local/bin/terraform
`,
    );
  });
  afterAll(() => installation.stop());

  test('logs in again in time, takes up a renewed one, and stops when that is revoked', async () => {
    const agent = installation.agent(['--config', config]);
    const slow = {
      'main.tf': `resource "terraform_data" "a" {
  provisioner "local-exec" { command = "echo begun; sleep 14; echo done" }
}`,
    };
    // Longer than the lifetime of a token.
    const run = await installation.run(await installation.workspace(), slow);
    await installation.untilLogged(run, 'apply', 'begun');
    present(renewed);
    await installation.until(run, 'applied');
    expect(await installation.logOf(run, 'apply')).toContain('done');

    // The agent no longer uses its first certificate.
    await revoke([first.serial]);
    const workspace = await installation.workspace();
    await installation.until(await installation.run(workspace, { 'main.tf': '' }), 'planned_and_finished');

    const endless = {
      'main.tf': slow['main.tf'].replace('sleep 14', "trap 'exit 1' INT; sleep 600 & wait"),
    };
    const last = await installation.run(await installation.workspace(), endless);
    await installation.untilLogged(last, 'apply', 'begun');
    await revoke([first.serial, renewed.serial]);
    await expect.poll(() => agent.stderr, { timeout: 20_000 }).toMatch(REFUSED);
    const waiting = await installation.run(workspace, { 'main.tf': '' });
    // Revoking the leases of its logins revokes its tokens, too.
    const revoked = await installation.root('POST', 'sys/leases/revoke-prefix/auth/cert/login');
    expect(revoked.status, revoked.text).toBeLessThan(300);
    await expect.poll(() => agent.stderr, { timeout: 20_000 }).toContain('no longer accepts this job from this agent');
    await expect.poll(() => agent.stderr, { timeout: 20_000 }).toMatch(/"outcome":"lost"/);
    expect(agent.stderr.match(REFUSED), agent.stderr).toHaveLength(1);
    expect(await installation.statusOf(waiting)).not.toMatch(/planned|planning/);
    agent.signal('SIGTERM');
    const { code, stderr } = await agent.ended();
    expect(code).toBe(0);
    expect(stderr).not.toMatch(/lk[sj]\./);
  }, 120_000);
});
