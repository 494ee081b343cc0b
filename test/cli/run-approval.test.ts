import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Command, type Finished } from '../support/command.ts';
import { archive } from '../support/samples/archive.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** Runs the commands as processes, against a whole server. The owner of the run is also an approver. */
describe('lockkeeper run approve', { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-approve-'));
  let server: TestServer;
  let run: string;
  let rule: string;
  beforeAll(async () => {
    server = await startTestServer('sqlite');
    writeFileSync(join(folder, 'ca.pem'), server.ca);
    await made('/organizations', 'organizations', { name: 'acme', email: 'a@example.com' });
    const workspace = (await made('/organizations/acme/workspaces', 'workspaces', { name: 'network' })).id;
    const version = await made(`/workspaces/${workspace}/configuration-versions`, 'configuration-versions', {
      'auto-queue-runs': false,
    });
    const headers = { 'content-type': 'application/octet-stream' };
    await server.call('PUT', new URL(version.attributes['upload-url']).pathname, { body: archive(), headers });
    const [owners] = (await server.user('GET', '/api/v2/organizations/acme/teams')).body.data;
    const teams = { teams: { data: [{ type: 'teams', id: owners.id }] } };
    rule = (await made(`/workspaces/${workspace}/approval-rules`, 'approval-rules', { name: 'production' }, teams)).id;
    run = (await made('/runs', 'runs', {}, { workspace: { data: { type: 'workspaces', id: workspace } } })).id;
    for (const status of ['planning', 'planned']) {
      const data = { type: 'runs', attributes: { status, ...(status === 'planned' && { 'has-changes': true }) } };
      expect((await server.user('POST', `/api/v2/runs/${run}/actions/advance`, { data })).status).toBe(200);
    }
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  async function made(path: string, type: string, attributes: object, relationships: object = {}) {
    const answer = await server.user('POST', `/api/v2${path}`, { data: { type, attributes, relationships } });
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data;
  }
  const started = (...args: string[]): Command => {
    const begun = new Command(['run', ...args], {
      LOCKKEEPER_ADDR: server.address,
      LOCKKEEPER_CACERT: join(folder, 'ca.pem'),
      LOCKKEEPER_TOKEN: server.userToken,
    });
    begun.process.stdin?.end();
    return begun;
  };
  const command = (...args: string[]): Promise<Finished> => started(...args).ended();

  it('shows the approvals of a run, and why an approval is refused', async () => {
    const shown = await command('show', run);
    expect([shown.code, shown.stderr]).toEqual([0, '']);
    expect(shown.stdout).toMatch(/^status +planned$/m);
    expect(shown.stdout).toMatch(/^approvals +0 of 1$/m);
    expect(shown.stdout).toContain('The approval rule "production" has 0 of 1 approvals');
    expect((await command('show', run, '--field', 'approvals')).stdout).toBe('0 of 1\n');
    const refused = await command('approve', run);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('The user started the run');
  });

  it('approves a run, and revokes the approval', async () => {
    const data = { type: 'approval-rules', attributes: { 'requester-may-approve': true } };
    expect((await server.user('PATCH', `/api/v2/approval-rules/${rule}`, { data })).status).toBe(200);
    const approved = await command('approve', run, '--comment', 'reviewed');
    expect([approved.code, approved.stderr]).toEqual([0, '']);
    expect(approved.stdout).toMatch(/^approvals +1 of 1$/m);
    expect(approved.stdout).toMatch(/^approved-by +\S+$/m);
    expect(approved.stdout).not.toContain('missing');
    const whole = JSON.parse((await command('show', run, '--format', 'json')).stdout);
    expect(whole.approvals.data[0].attributes).toMatchObject({ comment: 'reviewed', counts: true });
    expect((await command('approve', run, '--revoke')).stdout).toMatch(/^approvals +0 of 1$/m);
  });

  it('a confirmed run says which approvals it waits for', async () => {
    expect((await command('show', run)).stdout).toMatch(/^waiting-for +The plan must be confirmed or discarded$/m);
    const data = { type: 'approval-rules', attributes: { 'requester-may-approve': false } };
    expect((await server.user('PATCH', `/api/v2/approval-rules/${rule}`, { data })).status).toBe(200);
    const awaited = '1 approval is missing: rule "production", members of team owners';
    const confirmed = await command('confirm', run, '--yes');
    expect([confirmed.code, confirmed.stdout]).toEqual([0, expect.stringContaining(`It waits. ${awaited}\n`)]);
    expect((await command('show', run, '--field', 'waiting-for')).stdout).toBe(`${awaited}\n`);
    const following = started('follow', run);
    await expect.poll(() => following.stderr, { timeout: 30_000 }).toContain(awaited);
    await following.kill();
  });
});
