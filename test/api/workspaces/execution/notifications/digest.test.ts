import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../../../src/storage/index.ts';
import { databaseKinds } from '../../../../support/databases.ts';
import { startSmtp, type TestSmtp } from '../../../../support/mail/smtp.ts';
import type { Receiver } from '../../../../support/receiver.ts';
import type { TestApi } from '../../support/api.ts';
import { notificationsOf, startNotifying } from '../../support/notifications.ts';
import {
  issuesOf,
  joinOrganization,
  joinTeam,
  newOrganization,
  type TestOrganization,
} from '../../support/organization.ts';
import { runsOf, type TestRuns } from '../../support/runs.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe.each(databaseKinds)('digests of notifications on %s', (kind) => {
  let smtp: TestSmtp;
  let api: TestApi;
  let receiver: Receiver;
  let acme: TestOrganization;
  let runs: TestRuns;
  beforeAll(async () => {
    smtp = await startSmtp();
    ({ api, receiver, acme, runs } = await startNotifying(kind, () => {}, smtp.settings));
  });
  afterAll(async () => {
    await receiver.stop();
    await api.close();
    await smtp.stop();
  });

  const { newWorkspace, newPath, attributesFor, createIn, show, deliver, postTo } = notificationsOf(() => ({
    api,
    receiver,
    acme,
    runs,
  }));
  const digest = { hour: 8, 'time-zone': 'UTC', 'waiting-hours': 4 };
  const daily = (path: string, more: object = {}) => attributesFor(path, { triggers: [], digest, ...more });
  const sweep = async () => {
    await api.workspaces.execution.runReconciler.sweep();
    // Organizations of other tests have digests at the same time, and a node sends four to a receiver at a time.
    for (let round = 0; round < 5; round++) await deliver();
  };
  const digestsAt = (path: string) => receiver.at(path).filter(({ body }) => body.trigger_scope === 'digest');
  const patch = (id: string, attributes: object) =>
    acme.owner.call('PATCH', `/notification-configurations/${id}`, {
      data: { type: 'notification-configurations', attributes },
    });
  /** Moves the clock to the next time of this configuration. */
  const untilDue = async (id: string) => {
    const at = Date.parse((await show(id)).attributes['digest-at']);
    expect(at).toBeGreaterThan(api.now());
    api.advance(at - api.now());
  };
  /** Each test has an organization of its own, so that nothing else waits. */
  const fresh = async () => {
    acme = await newOrganization(api);
    runs = runsOf(api, acme);
  };
  const waiting = async () => {
    const workspace = await newWorkspace();
    const run = await runs.run(workspace);
    await runs.through(run, 'planning', 'planned');
    return { workspace, run, name: (await runs.place(workspace)).attributes.name as string };
  };

  test('list what waits, once a day at their hour', async () => {
    await fresh();
    const path = newPath();
    const { id } = await createIn(`organizations/${acme.name}`, daily(path));
    const [first, second] = [await waiting(), await waiting()];
    const failed = await newWorkspace();
    await runs.through(await runs.run(failed), 'planning', 'errored');
    await untilDue(id);
    const due = api.now();
    expect(new Date(due).toISOString().slice(11)).toBe('08:00:00.000Z');
    await sweep();
    expect(digestsAt(path)).toHaveLength(1);
    const { body } = digestsAt(path)[0] ?? {};
    expect(body).toMatchObject({
      trigger: 'digest',
      notification_configuration_id: id,
      details: {
        organization_name: acme.name,
        scope_name: null,
        sections: [
          {
            kind: 'confirmation',
            total: 2,
            workspaces: [
              { workspace_name: first.name, run_id: first.run },
              { workspace_name: second.name, run_id: second.run },
            ],
          },
          { kind: 'errored', total: 1 },
        ],
      },
    });
    expect(body.details.sections[0].workspaces[0].url).toMatch(
      new RegExp(`/app/${acme.name}/workspaces/${first.name}/runs/${first.run}$`),
    );
    await sweep();
    api.advance(DAY - 1);
    await sweep();
    expect(digestsAt(path)).toHaveLength(1);
    api.advance(1);
    await sweep();
    expect(digestsAt(path)).toHaveLength(2);
  });

  test('are not sent when nothing waits long enough', async () => {
    await fresh();
    const path = newPath();
    const { id } = await createIn(`organizations/${acme.name}`, daily(path));
    await untilDue(id);
    await sweep();
    await untilDue(id);
    await waiting();
    await sweep();
    expect(digestsAt(path)).toEqual([]);
    await untilDue(id);
    await sweep();
    expect(digestsAt(path)).toHaveLength(1);
  });

  test('list the workspaces of their scope only', async () => {
    await fresh();
    const [mine] = [await waiting(), await waiting()];
    const [byWorkspace, byProject] = [newPath(), newPath()];
    const project = await acme.project('empty');
    const { id } = await createIn(`workspaces/${mine.workspace}`, daily(byWorkspace));
    await createIn(`projects/${project}`, daily(byProject));
    await untilDue(id);
    await sweep();
    expect(digestsAt(byWorkspace).map(({ body }) => body.details)).toMatchObject([
      { scope_name: mine.name, sections: [{ total: 1, workspaces: [{ run_id: mine.run }] }] },
    ]);
    expect(digestsAt(byProject)).toEqual([]);
  });

  test('are sent once by two nodes, and once after a week without the server', async () => {
    await fresh();
    const path = newPath();
    const { id } = await createIn(`organizations/${acme.name}`, daily(path));
    await waiting();
    await untilDue(id);
    const nodes = [api.workspaces, api.anotherProcess()].map(({ execution }) => execution.runReconciler);
    await Promise.all(nodes.map((node) => node.sweep()));
    await deliver();
    expect(digestsAt(path)).toHaveLength(1);
    api.advance(7 * DAY + HOUR);
    await sweep();
    await sweep();
    expect(digestsAt(path)).toHaveLength(2);
  });

  test('name at most twenty workspaces of one kind', async () => {
    await fresh();
    const path = newPath();
    const { id } = await createIn(`organizations/${acme.name}`, daily(path));
    for (let i = 0; i < 22; i++) await newWorkspace();
    const fail = sql<{ name: string }>(
      `UPDATE workspace SET current_run_status = 'errored' WHERE organization_id = (SELECT id FROM organization WHERE name = :name)`,
    );
    await api.workspaces.database.run(fail, { name: acme.name });
    await untilDue(id);
    await sweep();
    const [section] = digestsAt(path)[0]?.body.details.sections ?? [];
    expect(section).toMatchObject({ kind: 'errored', total: 22 });
    expect(section.workspaces).toHaveLength(20);
  });

  test('list drifted workspaces', async () => {
    await fresh();
    const path = newPath();
    const project = await acme.project('drifts');
    const { id } = await createIn(`organizations/${acme.name}`, daily(path));
    const { name, run, workspace } = await waiting();
    await createIn(`projects/${project}`, daily(newPath()));
    const insert = sql<{ id: string; workspace: string; run: string; now: number }>(
      `INSERT INTO assessment_result (id, workspace_id, run_id, drifted, succeeded, created_at, finished_at)
       VALUES (:id, :workspace, :run, 1, 1, :now, :now)`,
    );
    const point = sql<{ id: string; workspace: string }>(
      'UPDATE workspace SET assessment_result_id = :id WHERE id = :workspace',
    );
    const { database } = api.workspaces;
    await database.run(insert, { id: `asmtres-${kind}`, workspace, run, now: api.now() });
    await database.run(point, { id: `asmtres-${kind}`, workspace });
    await untilDue(id);
    await sweep();
    expect(digestsAt(path)[0]?.body.details.sections).toMatchObject([
      { kind: 'confirmation', total: 1 },
      { kind: 'drifted', total: 1, workspaces: [{ workspace_name: name, run_id: null }] },
    ]);
  });

  test('go by email and to Slack too', async () => {
    await fresh();
    const user = await api.user(`reader-${kind}`);
    await joinOrganization(acme, user);
    await joinTeam(api, await acme.team('readers', { 'read-workspaces': true }), user.id);
    const other = await api.user(`outsider-${kind}`);
    await joinOrganization(acme, other);
    const users = { relationships: { users: { data: [user, other].map(({ id }) => ({ type: 'users', id })) } } };
    const mail = { name: 'Mail', 'destination-type': 'email', enabled: true, triggers: [], digest };
    const { id } = await createIn(`organizations/${acme.name}`, mail, users);
    const path = newPath();
    await createIn(`organizations/${acme.name}`, daily(path, { 'destination-type': 'slack' }));
    const { name, run } = await waiting();
    await untilDue(id);
    await sweep();
    const [letter] = smtp.to(`${user.username}@example.com`);
    expect(letter?.source).toContain(`Subject: ${acme.name}: 1 workspace waits for someone`);
    expect(letter?.source.replaceAll('=\r\n', '')).toContain(`workspaces/${name}/runs/${run}`);
    const [slack] = receiver.at(path).slice(-1);
    expect(slack?.body.attachments[0].fields[0]).toMatchObject({ title: 'Waiting for confirmation (1)' });
    // A digest names workspaces: it goes to users who may read all of them.
    expect(smtp.to(`${other.username}@example.com`)).toEqual([]);
    expect((await show(id)).attributes['delivery-responses'][0].body).toContain(`${other.id}: left out`);
  });

  test('go by email although a node without an SMTP server tried first', async () => {
    await fresh();
    const user = await api.user(`patient-${kind}`);
    await joinOrganization(acme, user);
    await joinTeam(api, await acme.team('readers', { 'read-workspaces': true }), user.id);
    const users = { relationships: { users: { data: [{ type: 'users', id: user.id }] } } };
    const mail = { name: 'Mail', 'destination-type': 'email', enabled: true, triggers: [], digest };
    const { id } = await createIn(`organizations/${acme.name}`, mail, users);
    await waiting();
    await untilDue(id);
    await api.workspaces.execution.runReconciler.sweep();
    const { emailDeliveries } = api.anotherProcess({ notifications: {} }).execution;
    await emailDeliveries.begin();
    await emailDeliveries.settled();
    expect((await show(id)).attributes['delivery-responses'][0].body).toContain('no SMTP server');
    api.advance(HOUR);
    await deliver();
    expect(smtp.to(`${user.username}@example.com`)).toHaveLength(1);
  });

  test('follow the time zone through changes of the clock', async () => {
    await fresh();
    const berlin = { hour: 2, 'time-zone': 'Europe/Berlin' };
    const { id, attributes } = await createIn(
      `organizations/${acme.name}`,
      daily('/', { enabled: false, digest: berlin }),
    );
    expect(attributes).toMatchObject({ digest: { ...berlin, 'waiting-hours': 4 }, 'digest-at': null });
    const enabled = await patch(id, { enabled: true });
    const at = new Date(enabled.body.data.attributes['digest-at']);
    const local = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit' }).format(at);
    expect(local).toBe('02');
    const off = await patch(id, { digest: null });
    expect(off.body.data.attributes).toMatchObject({ digest: null, 'digest-at': null });
  });

  test.each([
    [{ 'time-zone': 'Mars/Olympus' }, '/data/attributes/digest'],
    [{ hour: 24 }, '/data/attributes/digest/hour'],
    [{ 'waiting-hours': -1 }, '/data/attributes/digest/waiting-hours'],
  ])('are refused with %j', async (wrong, pointer) => {
    const answer = await postTo(`organizations/${acme.name}`, daily('/', { enabled: false, digest: wrong }));
    expect(answer.status).toBe(422);
    expect(issuesOf(answer)).toEqual([expect.stringContaining(`${pointer}: `)]);
  });
});
