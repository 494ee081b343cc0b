import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import type { GitServer, TestRepository } from '../../../../support/git-server.ts';
import type { TestApi } from '../../support/api.ts';
import { newOrganization, newTeamMember, type TestOrganization } from '../../support/organization.ts';
import { onWorkspace } from '../../support/team-access.ts';
import { lookUp, newConnection, startWithGit, workOff } from '../../support/vcs.ts';

describe.each(databaseKinds)('one event with its workspaces, on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let server: GitServer;
  let token: string;
  let stop: () => Promise<void>;
  let repository: TestRepository;
  const identifier = 'team/events.git';
  let seen: string;
  let hidden: string;
  beforeAll(async () => {
    ({ server, api, acme, token, stop } = await startWithGit(kind));
    repository = await server.createRepository(identifier);
    await repository.commit({ 'main.tf': '# 1', 'net/main.tf': '# 1' }, 'first');
    hidden = await follow('a-hidden', { 'working-directory': 'net' });
    seen = await follow('b-seen');
    await workOff(api);
  });
  afterAll(() => stop());
  const follow = (name: string, attributes: object = {}) =>
    acme.workspace(name, {
      ...{ 'queue-all-runs': true, 'vcs-repo': { identifier, 'oauth-token-id': token } },
      ...attributes,
    });
  type Caller = Pick<TestOrganization['owner'], 'call'>;
  const verdicts = async (id: string, caller: Caller = acme.owner) => {
    const { body, text } = await caller.call('GET', `/vcs-events/${id}/verdicts`);
    expect(body.data, text).toBeDefined();
    return body.data.map(({ attributes, relationships }: { attributes: Record<string, string>; relationships: Runs }) =>
      [
        attributes['workspace-name'],
        attributes.code,
        attributes['plan-progress'],
        relationships.run.data === null,
      ].join(' '),
    );
  };

  test('runs come first, and a member sees only the workspaces of the team', async () => {
    await repository.commit({ 'main.tf': '# 2' }, 'second');
    await lookUp(api);
    const { body } = await acme.owner.call('GET', `/workspaces/${seen}/vcs-events`);
    const [{ id }] = body.data;
    const event = await acme.owner.call('GET', `/vcs-events/${id}`);
    expect(event.body.data.attributes).toMatchObject({ kind: 'push', ref: 'main', 'run-count': 1, 'verdict-count': 2 });
    expect(await verdicts(id)).toEqual(['b-seen whole-repository waiting false', 'a-hidden other-files  true']);

    const team = await acme.team('readers');
    const member = await newTeamMember(api, team, `reader-${kind}`);
    expect((await member.call('GET', `/vcs-events/${id}`)).status).toBe(404);
    expect((await member.call('GET', `/vcs-events/${id}/verdicts`)).status).toBe(404);
    await acme.owner.call('POST', '/team-workspaces', onWorkspace(team, hidden, { access: 'read' }));
    expect((await member.call('GET', `/vcs-events/${id}`)).status).toBe(200);
    expect(await verdicts(id, member)).toEqual(['a-hidden other-files  true']);
    const stranger = await newOrganization(api);
    expect((await stranger.owner.call('GET', `/vcs-events/${id}`)).status).toBe(404);
    expect((await acme.owner.call('GET', '/vcs-events/ve-none/verdicts')).status).toBe(404);
  });

  test('a workspace says how the server follows its repository, and why it cannot', async () => {
    const link = (id: string) => acme.owner.call('GET', `/workspaces/${id}/vcs-link`);
    const { attributes } = (await link(seen)).body.data;
    expect(attributes).toMatchObject({ state: 'linked', health: 'ok', problem: null, 'default-branch': 'main' });
    expect(Date.parse(attributes['next-look-up-at'])).toBeGreaterThan(Date.parse(attributes['looked-up-at']));
    const lost = await acme.workspace('c-lost', {
      'vcs-repo': { identifier: 'team/none.git', 'oauth-token-id': token },
    });
    expect((await link(lost)).body.data.attributes).toMatchObject({ state: 'waiting', 'looked-up-at': null });
    await workOff(api);
    expect((await link(lost)).body.data.attributes).toMatchObject({
      ...{ state: 'linked', health: 'gone' },
      'health-reason': expect.stringContaining('no such repository'),
    });
    const narrow = await newConnection(api, acme, server.address, { 'allowed-repositories': ['other/*'] });
    const kept = await acme.workspace('e-kept', { 'vcs-repo': { identifier, 'oauth-token-id': narrow } });
    await workOff(api);
    expect((await link(kept)).body.data.attributes).toMatchObject({
      ...{ state: 'problem', health: null },
      problem: 'The owners of the connection do not allow workspaces to follow this repository',
    });
    expect((await link(await acme.workspace('d-none'))).status).toBe(404);
  });
});

interface Runs {
  readonly run: { readonly data: object | null };
}
