import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { approvalsIn, ruleBody } from '../../support/approvals.ts';
import { issuesOf, newOrganization, newTeamMember, type TestOrganization } from '../../support/organization.ts';
import { change } from '../../support/team-access.ts';

describe.each(databaseKinds)('approval rules on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let on: ReturnType<typeof approvalsIn>;
  let team: string;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    on = approvalsIn(api, acme);
    team = await acme.team('security');
  });
  afterAll(() => api.close());

  const newPath = async () => `/workspaces/${await acme.workspace(`w-${++names}`)}/approval-rules`;

  test('a rule is shown as it was created, and changed in parts', async () => {
    const path = await newPath();
    const made = await acme.owner.call('POST', path, ruleBody([team, team], { name: 'production' }));
    expect(made.status, made.text).toBe(201);
    const { data } = made.body;
    expect(data.attributes).toMatchObject({
      ...{ name: 'production', 'required-approvals': 1, 'requester-may-approve': false, operations: 'all' },
      ...{ teams: [{ id: team, name: 'security', exists: true }], warning: null },
    });
    expect(data.relationships).toMatchObject({
      teams: { data: [{ type: 'teams', id: team }] },
      project: { data: null },
    });
    const at = `/approval-rules/${data.id}`;
    const changed = await acme.owner.call('PATCH', at, change('approval-rules', { 'required-approvals': 3 }));
    expect(changed.body.data.attributes).toMatchObject({ name: 'production', 'required-approvals': 3 });
    expect(changed.body.data.relationships.teams.data).toHaveLength(1);
    expect((await acme.owner.call('GET', path)).body.data).toEqual([changed.body.data]);
    expect((await acme.owner.call('DELETE', at)).status).toBe(204);
    expect((await acme.owner.call('GET', at)).status).toBe(404);
  });

  test('invalid rules are refused with a pointer, and nothing is stored', async () => {
    const path = await newPath();
    const elsewhere = await (await newOrganization(api)).team('security');
    const invalid: readonly (readonly [object, string])[] = [
      [ruleBody([team], { name: '' }), '/data/attributes/name'],
      [ruleBody([team], { name: 'two\nlines' }), '/data/attributes/name'],
      [ruleBody([team], { name: 'a', 'required-approvals': 0 }), '/data/attributes/required-approvals'],
      [ruleBody([team], { name: 'a', 'required-approvals': 11 }), '/data/attributes/required-approvals'],
      [ruleBody([team], { name: 'a', operations: 'some' }), '/data/attributes/operations'],
      [ruleBody([], { name: 'a' }), '/data/relationships/teams'],
      [ruleBody([elsewhere], { name: 'a' }), '/data/relationships/teams'],
      [ruleBody(['team-none'], { name: 'a' }), '/data/relationships/teams'],
    ];
    for (const [body, pointer] of invalid) {
      const answer = await acme.owner.call('POST', path, body);
      expect([answer.status, issuesOf(answer)[0]]).toEqual([422, expect.stringContaining(pointer)]);
    }
    expect((await acme.owner.call('GET', path)).body.data).toEqual([]);
  });

  test('names are unique in a workspace, and the number of rules is bounded', async () => {
    const path = await newPath();
    const add = (name: string) => acme.owner.call('POST', path, ruleBody([team], { name }));
    for (let at = 0; at < 10; at++) expect((await add(`rule ${at}`)).status).toBe(201);
    expect(issuesOf(await add('rule 0'))[0]).toContain('already been taken');
    expect(issuesOf(await add('one more'))[0]).toContain('at most 10');
  });

  test('parallel requests on two nodes neither exceed the number of rules nor take a name twice', async () => {
    const workspace = await newPath();
    const project = `/projects/${await acme.project(`Parallel ${kind}`)}/approval-rules`;
    const node = await api.forgetful();
    try {
      const callers = [acme.owner, node.holder(acme.owner.token)];
      for (const path of [workspace, project]) {
        const add = (at: number, name = `rule ${at}`) =>
          (callers[at % 2] ?? acme.owner).call('POST', path, ruleBody([team], { name }));
        const ofName = await Promise.all([0, 1, 2, 3].map((at) => add(at, 'same')));
        expect(ofName.map(({ status }) => status).toSorted()).toEqual([201, 422, 422, 422]);
        for (const refused of ofName.filter(({ status }) => status === 422)) {
          expect(issuesOf(refused)[0]).toContain('already been taken');
        }
        for (let at = 0; at < 6; at++) expect((await add(at)).status).toBe(201);
        const last = await Promise.all([6, 7, 8, 9, 10, 11].map((at) => add(at)));
        expect(last.filter(({ status }) => status === 201)).toHaveLength(3);
        expect(last.filter(({ status }) => status === 422)).toHaveLength(3);

        const [one, two] = (await acme.owner.call('GET', path)).body.data.slice(-2);
        const renamed = await Promise.all(
          [one, two].map(({ id }: { id: string }, at) =>
            (callers[at] ?? acme.owner).call('PATCH', `/approval-rules/${id}`, change('approval-rules', { name: 'x' })),
          ),
        );
        expect(renamed.map(({ status }) => status).toSorted()).toEqual([200, 422]);
        const { data } = (await acme.owner.call('GET', path)).body;
        const names = data.map(({ attributes }: { attributes: { name: string } }) => attributes.name);
        expect(new Set(names).size).toBe(10);
      }
    } finally {
      await node.close();
    }
  });

  test('names of secret teams are shown to those who may see the team', async () => {
    const path = await newPath();
    await acme.owner.call('POST', path, ruleBody([team], { name: 'production' }));
    const readers = await acme.team(`readers-${kind}`, { 'manage-workspaces': true });
    const reader = await newTeamMember(api, readers, `reader-${kind}`);
    const [rule] = (await reader.call('GET', path)).body.data;
    expect(rule.attributes.teams).toEqual([{ id: team, name: null, exists: true }]);
    const hidden = await reader.call('POST', path, ruleBody([team], { name: 'mine' }));
    expect(hidden.status).toBe(422);
    await acme.owner.call('PATCH', `/teams/${team}`, change('teams', { visibility: 'organization' }));
    expect((await reader.call('GET', path)).body.data[0].attributes.teams[0].name).toBe('security');
  });

  test('two changes at the same time on two nodes do not undo each other', async () => {
    const path = await newPath();
    const made = await acme.owner.call('POST', path, ruleBody([team], { name: 'production' }));
    const at = `/approval-rules/${made.body.data.id}`;
    const node = await api.forgetful();
    try {
      const answers = await Promise.all([
        acme.owner.call('PATCH', at, change('approval-rules', { 'required-approvals': 4 })),
        node.holder(acme.owner.token).call('PATCH', at, change('approval-rules', { 'requester-may-approve': true })),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    } finally {
      await node.close();
    }
    const { attributes } = (await acme.owner.call('GET', at)).body.data;
    expect(attributes).toMatchObject({ 'required-approvals': 4, 'requester-may-approve': true });
  });

  test('the audit trail has an event for each rule and each approval', async () => {
    const { team: approvers, people } = await on.approvers(1);
    const { run } = await on.planned({}, (workspace) => on.rule(`/workspaces/${workspace}`, [approvers]));
    await on.approve(run, people[0] as (typeof people)[number]);
    const made = await acme.owner.call('POST', `/organizations/${acme.name}/authentication-token?token=audit-trails`);
    const reader = api.holder(made.body.data.attributes.token);
    const trail = await reader.call('GET', '/organization/audit-trail?page[size]=100');
    const events = trail.body.data.map(
      ({ resource }: { resource: { type: string; action: string } }) => `${resource.type} ${resource.action}`,
    );
    expect(events).toEqual(expect.arrayContaining(['approval_rule create', 'run approve']));
  });
});
