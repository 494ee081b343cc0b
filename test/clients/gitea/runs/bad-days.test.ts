import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE, Site, START_MS, type WorkingCopy } from './site.ts';

/** A server without a hook looks each minute. */
const POLLED = { timeout: 75_000, interval: 500 };
/** The server tries again after 15 seconds at first. */
const TRIED_AGAIN = { timeout: 60_000, interval: 200 };

describe('bad days of a Gitea server', () => {
  let site: Site;
  let clientId: string;
  let tokenId: string;
  /** Repository that the server polls, since its token may not create hooks. */
  let polled: { readonly copy: WorkingCopy; readonly workspace: string };

  beforeAll(async () => {
    site = await Site.start();
    ({ clientId, tokenId } = await site.connect(site.gitea.token));
    const reader = await site.gitea.createUser('reader', ['read:repository', 'read:user']);
    const copy = await site.repository('polled');
    await site.gitea.api('PUT', '/repos/acme/polled/collaborators/reader', { permission: 'read' });
    const connection = await site.connect(reader);
    polled = { copy, workspace: await site.follow(copy, connection.tokenId) };
  }, START_MS);
  afterAll(() => site?.stop());

  async function followed(name: string, token = tokenId) {
    const copy = await site.repository(name);
    const workspace = await site.follow(copy, token);
    await site.started(workspace, ['first']);
    await site.hooked(copy);
    return { copy, workspace };
  }

  /** Returns the commits of pushes whose deliveries were not forwarded. */
  const stoppedCommits = () => site.front.stopped.map(({ body }) => body.after);

  it('polls where it may not create a hook: the first part', async () => {
    await site.started(polled.workspace, ['first']);
    await polled.copy.commit({ 'main.tf': '# 2\n' }, 'polled');
    await polled.copy.push('main');
  });

  it('makes up for a lost delivery', async () => {
    const { copy, workspace } = await followed('lost');
    site.front.mode = 'loses';
    const lostId = await copy.commit({ 'main.tf': '# 2\n' }, 'lost');
    await copy.push('main');
    await expect.poll(stoppedCommits, PATIENCE).toEqual([lostId]);
    site.front.mode = 'forwards';
    await site.ask('POST', `/workspaces/${workspace}/actions/look-up`);
    await site.started(workspace, ['first', 'lost']);
    await copy.commit({ 'main.tf': '# 3\n' }, 'delivered');
    await copy.push('main');
    await site.started(workspace, ['first', 'lost', 'delivered']);
  });

  it('says since when a token is refused, and goes on with the next one', async () => {
    const scopes = ['write:repository', 'read:user'];
    const own = await site.gitea.createUser('bot', scopes);
    const copy = await site.repository('withdrawn');
    await site.gitea.api('PUT', '/repos/acme/withdrawn/collaborators/bot', { permission: 'admin' });
    const connection = await site.connect(own);
    const workspace = await site.follow(copy, connection.tokenId);
    await site.started(workspace, ['first']);
    await site.hooked(copy);
    await site.gitea.revokeTokens('bot');
    await copy.commit({ 'main.tf': '# 2\n' }, 'unseen');
    await copy.push('main');
    const health = async () => (await site.known(connection.clientId, copy)).health;
    await expect.poll(health, PATIENCE).toBe('forbidden');
    const status = async () =>
      (await site.ask('GET', `/oauth-clients/${connection.clientId}`)).attributes['connection-status'];
    await expect.poll(status, PATIENCE).toBe('refused');
    await site.ask('PATCH', `/oauth-clients/${connection.clientId}`, {
      data: {
        type: 'oauth-clients',
        attributes: { 'oauth-token-string': await site.gitea.createToken('bot', scopes) },
      },
    });
    await site.started(workspace, ['first', 'unseen']);
    expect(await health()).toBe('ok');
  });

  it('keeps deliveries while Gitea is away', async () => {
    const { copy, workspace } = await followed('away');
    site.front.mode = 'holds';
    site.front.stopped.splice(0);
    const heldId = await copy.commit({ 'main.tf': '# 2\n' }, 'before it went');
    await copy.push('main');
    await expect.poll(stoppedCommits, PATIENCE).toEqual([heldId]);
    await site.gitea.kill();
    await site.front.release();
    await expect.poll(async () => (await site.known(clientId, copy)).health, PATIENCE).toBe('unreachable');
    await site.gitea.resume();
    await expect.poll(async () => (await site.runs(workspace)).at(-1)?.message, TRIED_AGAIN).toBe('before it went');
    expect((await site.known(clientId, copy)).health).toBe('ok');
  });

  it('polls where it may not create a hook: the second part', async () => {
    await expect.poll(async () => (await site.runs(polled.workspace)).at(-1)?.message, POLLED).toBe('polled');
  });
});
