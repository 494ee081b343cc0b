import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LINK_GRACE_MS } from '../../../../src/lib/signed-links/index.ts';
import { CONFIGURATION_LINK_LIFE } from '../../../../src/workspaces/execution/configuration-version/uploads.ts';
import { LOG_LINK_LIFE } from '../../../../src/workspaces/execution/run/phases.ts';
import { STATE_LINK_LIFE } from '../../../../src/workspaces/state/version/links.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { type Caller, startApi, type TestApi, type UserCaller } from '../support/api.ts';
import { identify, newOrganization, newTeamMember, type TestOrganization } from '../support/organization.ts';
import { runsOf, type TestRuns } from '../support/runs.ts';
import { atAddress, stateText, worker } from '../support/states.ts';

const HOUR = 3_600_000;

describe.each(databaseKinds)('signed URLs on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let runs: TestRuns;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    runs = runsOf(api, acme);
  });
  afterAll(() => api.close());

  const owner = (method: string, path: string, body?: unknown) => acme.owner.call(method, path, body);
  const succeed = async (method: string, path: string, body?: unknown) => {
    const answer = await owner(method, path, body);
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body?.data;
  };

  /** Creates a team that may write to a workspace, and a member of it. */
  let workspace: string;
  let team: string;
  let grant: string;
  let member: UserCaller;
  beforeEach(async () => {
    names++;
    workspace = await acme.workspace(`signed-${names}`);
    team = await acme.team(`signers-${names}`);
    member = await newTeamMember(api, team, `signer-${kind}-${names}`);
    grant = (await succeed('POST', '/team-workspaces', granted('write'))).id;
  });

  const granted = (access: string) => ({
    data: {
      type: 'team-workspaces',
      attributes: { access },
      relationships: {
        team: { data: { type: 'teams', id: team } },
        workspace: { data: { type: 'workspaces', id: workspace } },
      },
    },
  });

  /** Creates one signed URL of each kind: a state download, a state upload, an archive and a log. */
  async function linksOf(caller: Pick<Caller, 'call'>) {
    const at = worker(api, caller, workspace);
    expect((await at.lock()).status).toBe(200);
    const { attributes: written } = await at.upload(stateText(1), { serial: 1 });
    const { attributes: pending } = (await at.create(stateText(2), { serial: 2 })).body.data;
    const run = await runs.run(workspace, {}, await runs.uploaded(workspace));
    const plan = (await runs.show(run)).relationships.plan.data.id;
    const configuration = await caller.call('POST', `/workspaces/${workspace}/configuration-versions`, {
      data: { type: 'configuration-versions', attributes: { 'auto-queue-runs': false } },
    });
    const log = new URL((await caller.call('GET', `/plans/${plan}`)).body.data.attributes['log-read-url']);
    const put = (address: string, body: string) => async () => (await atAddress(api, 'PUT', address, body)).status;
    return {
      download: async () => (await atAddress(api, 'GET', written['hosted-state-download-url'])).status,
      log: async () => (await api.app.inject({ method: 'GET', url: log.pathname })).statusCode,
      archive: async () => (await runs.put(configuration.body.data.attributes['upload-url'], 'one')).statusCode,
      json: put(pending['hosted-json-state-upload-url'], '{}'),
      upload: put(pending['hosted-state-upload-url'], stateText(2)),
    };
  }

  type Links = Awaited<ReturnType<typeof linksOf>>;

  /** Returns the statuses of the URLs, uploads last. */
  async function used(links: Links): Promise<Record<string, number>> {
    const statuses: Record<string, number> = {};
    for (const [name, use] of Object.entries(links)) statuses[name] = await use();
    return statuses;
  }

  const all = (download: number, rest = 404, archive = rest) => ({
    download,
    log: archive,
    archive,
    json: download,
    upload: download,
  });

  test('work for their purpose while their holder has the permission', async () => {
    const links = await linksOf(member);
    expect(await used(links)).toEqual(all(200, 200));
    const event = api.lastEvent();
    expect(event).toMatchObject({ actor_kind: 'signed-address', actor_id: member.id, actor_name: member.username });
  });

  /**
   * Removals of the holder's access, and the status of a state's URL afterwards: 401 without a valid holder, 404
   * without the permission.
   */
  test.each<[string, number, () => Promise<unknown>]>([
    ['the access of the team is taken away', 404, () => succeed('DELETE', `/team-workspaces/${grant}`)],
    [
      'the user leaves the team',
      404,
      () => succeed('DELETE', `/teams/${team}/relationships/users`, { data: [{ type: 'users', id: member.username }] }),
    ],
    ['the team is deleted', 404, () => succeed('DELETE', `/teams/${team}`)],
    ['the workspace is deleted', 404, () => succeed('DELETE', `/workspaces/${workspace}`)],
    [
      'the token that they came of is revoked',
      401,
      async () => {
        const [token] = (await member.call('GET', `/users/${member.id}/authentication-tokens`)).body.data;
        expect((await member.call('DELETE', `/authentication-tokens/${token.id}`)).status).toBe(204);
      },
    ],
    [
      'the organization takes no tokens of users any more',
      404,
      async () => {
        const made = await succeed('POST', `/teams/${acme.ownersTeamId}/authentication-token`);
        const set = (enabled: boolean) =>
          api.holder(made.attributes.token).call('PATCH', `/organizations/${acme.name}`, {
            data: { type: 'organizations', attributes: { 'user-tokens-enabled': enabled } },
          });
        expect((await set(false)).status).toBe(200);
        return async () => expect((await set(true)).status).toBe(200);
      },
    ],
  ])('stop working when %s', async (_how, status, end) => {
    const links = await linksOf(member);
    const undo = await end();
    try {
      expect(await used(links)).toEqual(all(status));
    } finally {
      if (typeof undo === 'function') await undo();
    }
  });

  test('stop working when the workspace moves out of the project that gave access', async () => {
    await succeed('DELETE', `/team-workspaces/${grant}`);
    const [from, to] = [await acme.project(`from-${names}`), await acme.project(`to-${names}`)];
    const move = (project: string) =>
      succeed('POST', `/projects/${project}/relationships/workspaces`, {
        data: [{ type: 'workspaces', id: workspace }],
      });
    await move(from);
    await succeed('POST', '/team-projects', {
      data: {
        type: 'team-projects',
        attributes: { access: 'write' },
        relationships: {
          team: { data: { type: 'teams', id: team } },
          project: { data: { type: 'projects', id: from } },
        },
      },
    });
    const links = await linksOf(member);
    await move(to);
    expect(await used(links)).toEqual(all(404));
    await move(from);
    expect(await used(links)).toEqual(all(200, 200));
  });

  test('that write stop when only the read permission is left; those that read continue', async () => {
    const links = await linksOf(member);
    await succeed('PATCH', `/team-workspaces/${grant}`, {
      data: { type: 'team-workspaces', attributes: { access: 'read' } },
    });
    expect(await used(links)).toEqual({ download: 200, log: 200, archive: 404, json: 404, upload: 404 });
  });

  test('for an archive queue no run for a user who has lost the permission', async () => {
    const place = `/workspaces/${workspace}`;
    await succeed('PATCH', place, { data: { type: 'workspaces', attributes: { 'execution-mode': 'remote' } } });
    const announce = async () => {
      const body = { data: { type: 'configuration-versions', attributes: { 'auto-queue-runs': true } } };
      return (await member.call('POST', `${place}/configuration-versions`, body)).body.data.attributes['upload-url'];
    };
    const count = async () => (await owner('GET', `${place}/runs`)).body.data.length;
    const [first, second] = [await announce(), await announce()];
    expect((await runs.put(first, 'archive')).statusCode).toBe(200);
    expect(await count()).toBe(1);
    await succeed('PATCH', `/team-workspaces/${grant}`, {
      data: { type: 'team-workspaces', attributes: { access: 'plan' } },
    });
    expect((await runs.put(second, 'archive')).statusCode).toBe(200);
    expect(await count()).toBe(1);
  });

  test('of a team stop working with its token, and another of its tokens does not restore them', async () => {
    const path = `/teams/${team}/authentication-token`;
    const { attributes } = await succeed('POST', path);
    const links = await linksOf(api.holder(attributes.token));
    expect(await links.download()).toBe(200);
    await succeed('POST', path);
    expect(await used(links)).toEqual(all(401));
  });

  test('of a machine stop working with its identity', async () => {
    const identity = await identify(acme.owner, team, { mount: 'cert', role: `signed-${names}` });
    const links = await linksOf(api.machine({ role: `signed-${names}` }));
    expect(await links.download()).toBe(200);
    await succeed('DELETE', `/machine-identities/${identity}`);
    expect(await used(links)).toEqual(all(401));
  });

  test('work for a limited time after the token has expired, for requests that started in time', async () => {
    const issue = async () => {
      const expiresAt = api.now() + HOUR;
      return (await api.workspaces.tenancy.tokens.issue(member.id, { description: 'short', expiresAt })).text;
    };
    const token = await issue();
    const links = await linksOf(api.holder(token));
    api.advance(HOUR);
    expect((await api.holder(token).call('GET', '/account/details')).status).toBe(401);
    expect(await used(links)).toEqual(all(200, 200));
    api.advance(LINK_GRACE_MS);
    // The URL of the archive has expired in any case.
    expect([await links.download(), await links.log()]).toEqual([401, 404]);
  });

  test('expire at their time', async () => {
    const links = await linksOf(member);
    api.advance(CONFIGURATION_LINK_LIFE.life + CONFIGURATION_LINK_LIFE.step);
    expect([await links.archive(), await links.log(), await links.download()]).toEqual([404, 200, 200]);
    api.advance(LOG_LINK_LIFE.life);
    expect([await links.log(), await links.download()]).toEqual([404, 200]);
    api.advance(STATE_LINK_LIFE.step + HOUR);
    expect(await links.download()).toBe(401);
  });

  test('are bound to one holder: another reader of the version gets another URL, and uploads are for the caller who announced them', async () => {
    const links = await linksOf(member);
    const list = `/state-versions?filter[organization][name]=${acme.name}&filter[workspace][name]=signed-${names}`;
    const shown = async (caller: Pick<Caller, 'call'>) => (await caller.call('GET', list)).body.data[0].attributes;
    const [mine, theirs] = [await shown(member), await shown(acme.owner)];
    expect(mine['hosted-state-upload-url']).toContain('link=lkl.');
    expect(theirs['hosted-state-upload-url']).toBeNull();
    expect(await links.upload()).toBe(200);
  });

  test('of a deleted organization are invalid', async () => {
    const other = await newOrganization(api);
    const at = worker(api, other.owner, await other.workspace('gone'));
    await at.lock();
    const { attributes } = await at.upload(stateText(1), { serial: 1 });
    const address = attributes['hosted-state-download-url'];
    expect((await atAddress(api, 'GET', address)).status).toBe(200);
    await at.unlock();
    expect((await other.owner.call('DELETE', `/organizations/${other.name}`)).status).toBe(204);
    expect((await atAddress(api, 'GET', address)).status).toBe(404);
  });
});
