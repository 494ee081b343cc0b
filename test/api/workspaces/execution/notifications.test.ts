import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { FileBlobs } from '../../../../src/storage/index.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { type Receiver, startReceiver } from '../../../support/receiver.ts';
import { type Caller, startApi, type TestApi } from '../support/api.ts';
import { issuesOf, newOrganization, newTeamMember, type TestOrganization } from '../support/organization.ts';
import { runsOf, type TestRuns } from '../support/runs.ts';

const RUN_TRIGGERS = [
  'run:created',
  'run:planning',
  'run:needs_attention',
  'run:applying',
  'run:completed',
  'run:errored',
];
const KEPT_TRIGGERS = [
  'assessment:drifted',
  'assessment:failed',
  'assessment:check_failure',
  'workspace:auto_destroy_reminder',
  'workspace:auto_destroy_run_results',
];
const HOUR = 3_600_000;

describe.each(databaseKinds)('notifications on %s (facts §6.13)', (kind) => {
  let receiver: Receiver;
  let api: TestApi;
  let acme: TestOrganization;
  let runs: TestRuns;
  const noted: (readonly [object, string])[] = [];
  let names = 0;
  beforeAll(async () => {
    receiver = await startReceiver();
    const note = (event: object, message: string) => void noted.push([event, message]);
    api = await startApi(kind, FileBlobs, {
      allowedAddresses: ['127.0.0.1', 'localhost'],
      authorities: [receiver.ca],
      note,
    });
    acme = await newOrganization(api);
    runs = runsOf(api, acme);
  });
  afterAll(async () => {
    await receiver.stop();
    await api.close();
  });
  afterEach(() => {
    receiver.answer = (_received, response) => void response.end('ok');
  });

  const newWorkspace = (attributes = {}) => runs.workspace(`n-${++names}`, attributes);
  const newPath = () => `/hook-${++names}`;
  const attributesFor = (path: string, more: object = {}) => ({
    name: 'Builds',
    'destination-type': 'generic',
    url: receiver.address + path,
    enabled: true,
    triggers: RUN_TRIGGERS,
    ...more,
  });
  const post = (workspace: string, attributes: object, caller: Pick<Caller, 'call'> = acme.owner, more = {}) =>
    caller.call('POST', `/workspaces/${workspace}/notification-configurations`, {
      data: { type: 'notification-configurations', attributes, ...more },
    });
  const create = async (workspace: string, attributes: object) => {
    api.advance(1);
    const answer = await post(workspace, attributes);
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data;
  };
  const show = async (id: string) => (await acme.owner.call('GET', `/notification-configurations/${id}`)).body.data;
  const patch = (id: string, attributes: object) =>
    acme.owner.call('PATCH', `/notification-configurations/${id}`, {
      data: { type: 'notification-configurations', attributes },
    });
  const verify = (id: string) => acme.owner.call('POST', `/notification-configurations/${id}/actions/verify`);
  const list = (workspace: string, query = '') =>
    acme.owner.call('GET', `/workspaces/${workspace}/notification-configurations${query}`);
  /** All that is due arrives, or does not. */
  const deliver = async () => {
    const { notificationDeliveries: deliveries } = api.workspaces.execution;
    await deliveries.begin();
    await deliveries.settled();
  };
  const triggersAt = (path: string) => receiver.at(path).map(({ body }) => body.notifications[0].trigger);

  test('one that is switched on is tried first, and shown as it was made', async () => {
    const workspace = await newWorkspace();
    const path = newPath();
    const data = await create(workspace, attributesFor(path, { token: 'a shared secret' }));
    expect(data).toMatchObject({
      type: 'notification-configurations',
      attributes: {
        name: 'Builds',
        'destination-type': 'generic',
        enabled: true,
        token: null,
        triggers: RUN_TRIGGERS,
        url: receiver.address + path,
        'email-addresses': [],
        'delivery-responses': [{ code: '200', body: 'ok', successful: 'true', url: receiver.address + path }],
      },
      relationships: { subscribable: { data: { type: 'workspaces', id: workspace } }, users: { data: [] } },
    });
    expect(data.attributes['delivery-responses'][0].headers['content-length']).toEqual(['2']);
    const [request] = receiver.at(path);
    expect(request?.method).toBe('POST');
    expect(request?.headers['content-type']).toBe('application/json');
    expect(request?.body).toEqual({
      payload_version: 1,
      notification_configuration_id: data.id,
      run_url: null,
      run_id: null,
      run_message: null,
      run_created_at: null,
      run_created_by: null,
      workspace_id: null,
      workspace_name: null,
      organization_name: null,
      notifications: [
        {
          message: 'Verification of Builds',
          trigger: 'verification',
          run_status: null,
          run_updated_at: null,
          run_updated_by: null,
        },
      ],
    });
    const expected = createHmac('sha512', 'a shared secret')
      .update(request?.bytes ?? '')
      .digest('hex');
    expect(request?.headers['x-tfe-notification-signature']).toBe(expected);
    expect(await show(data.id)).toEqual(data);
    expect((await list(workspace)).body).toEqual({ data: [data] });
  });

  test('a list has pages for those who ask for one', async () => {
    const workspace = await newWorkspace();
    await create(workspace, attributesFor('/', { enabled: false }));
    await create(workspace, attributesFor('/', { enabled: false, name: 'Second' }));
    const beyond = await list(workspace, '?page[number]=999&page[size]=100');
    expect(beyond.body).toMatchObject({ data: [], meta: { pagination: { 'current-page': 999, 'total-count': 2 } } });
    const second = await list(workspace, '?page[number]=2&page[size]=1');
    expect(second.body.data).toMatchObject([{ attributes: { name: 'Second' } }]);
  });

  test.each([
    [
      'a status that is none of success',
      (response: { writeHead(status: number): { end(): void } }) => response.writeHead(500).end(),
      'it answers with status 500',
    ],
    [
      'a redirect',
      (response: { writeHead(status: number, headers: object): { end(): void } }) =>
        response.writeHead(302, { location: '/elsewhere' }).end(),
      'it answers with a redirect, which is not followed',
    ],
    [
      'a connection that breaks',
      (response: { destroy(): void }) => response.destroy(),
      'no connection to it could be made, or its certificate is not trusted',
    ],
  ])('with %s nothing is stored or changed', async (_what, answer, reason) => {
    const workspace = await newWorkspace();
    const quiet = await create(workspace, attributesFor(newPath(), { enabled: false }));
    receiver.answer = (_received, response) => void answer(response);
    const refused = await post(workspace, attributesFor(newPath()));
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0].detail).toBe(`Unable to complete verification request to destination URL: ${reason}`);
    expect((await patch(quiet.id, { enabled: true, name: 'Other' })).status).toBe(400);
    expect((await list(workspace)).body).toEqual({ data: [quiet] });
    expect((await verify(quiet.id)).status, 'what came back is shown').toBe(400);
    const [response] = (await show(quiet.id)).attributes['delivery-responses'];
    expect(response.successful).toBe('false');
  });

  test('is tried when it is switched on, and when its address or token change, and when somebody asks', async () => {
    const workspace = await newWorkspace();
    const [first, second] = [newPath(), newPath()];
    const { id } = await create(workspace, attributesFor(first, { enabled: false }));
    expect(receiver.at(first)).toEqual([]);
    expect((await patch(id, { name: 'Renamed', url: receiver.address + second })).status).toBe(200);
    expect(receiver.at(second)).toEqual([]);
    expect((await patch(id, { enabled: true })).status).toBe(200);
    expect(receiver.at(second)).toHaveLength(1);
    expect((await patch(id, { name: 'Again', triggers: ['run:errored'], enabled: true })).status).toBe(200);
    expect(receiver.at(second)).toHaveLength(1);
    expect((await patch(id, { token: 'secret' })).status).toBe(200);
    expect(receiver.at(second)[1]?.headers['x-tfe-notification-signature']).toHaveLength(128);
    expect((await patch(id, { token: null })).status).toBe(200);
    expect(receiver.at(second)[2]?.headers['x-tfe-notification-signature']).toBeUndefined();
    expect((await patch(id, { url: receiver.address + first })).status).toBe(200);
    expect(receiver.at(first)).toHaveLength(1);
    expect((await verify(id)).body.data.attributes).toMatchObject({ name: 'Again', triggers: ['run:errored'] });
    expect(receiver.at(first)).toHaveLength(2);
    expect((await patch(id, {})).status).toBe(200);
    expect((await show(id)).attributes['delivery-responses']).toHaveLength(5);
  });

  test('what does not belong together is refused, each with its place', async () => {
    const workspace = await newWorkspace();
    const issues = async (attributes: object, more = {}) => {
      const answer = await post(workspace, attributes, acme.owner, more);
      expect(answer.status, answer.text).toBe(422);
      return issuesOf(answer);
    };
    expect(await issues({})).toEqual(["/data/attributes/destination-type: Destination type can't be blank"]);
    expect(await issues({ 'destination-type': 'pigeon' })).toEqual([
      '/data/attributes/destination-type: Destination type is none of generic, slack, microsoft-teams',
    ]);
    expect(await issues({ 'destination-type': 'generic', name: ' ', triggers: ['the beacons are lit'] })).toEqual([
      "/data/attributes/name: Name can't be blank",
      "/data/attributes/url: Url can't be blank",
      expect.stringContaining(
        '/data/attributes/triggers: Triggers has what a workspace does not tell: the beacons are lit.',
      ),
    ]);
    const slack = attributesFor('/', { 'destination-type': 'slack', token: 'secret' });
    expect(await issues(slack)).toEqual([expect.stringContaining('/data/attributes/token: ')]);
    for (const url of ['ftp://example.com/', 'example.com', 'https://me:secret@example.com/']) {
      expect(await issues(attributesFor('/', { url }))).toEqual([expect.stringContaining('/data/attributes/url: ')]);
    }
    expect(await issues({ name: 'Mail', 'destination-type': 'email', enabled: false })).toEqual([
      expect.stringContaining(
        '/data/attributes/destination-type: Destination type cannot be email: this server sends no mail',
      ),
    ]);
    expect(await issues(attributesFor('/', { 'email-addresses': ['a@example.com'] }))).toHaveLength(1);
    const users = { relationships: { users: { data: [{ type: 'users', id: acme.owner.id }] } } };
    expect(await issues(attributesFor('/'), users)).toEqual([expect.stringContaining('/data/relationships/users: ')]);
    for (const trigger of ['team:change_request', 'change_request:created']) {
      expect(await issues(attributesFor('/', { triggers: [trigger] }))).toHaveLength(1);
    }
    const { id } = await create(workspace, attributesFor('/', { enabled: false, triggers: KEPT_TRIGGERS }));
    expect((await show(id)).attributes.triggers).toEqual(KEPT_TRIGGERS);
    expect((await patch(id, { 'destination-type': 'slack' })).status).toBe(422);
    expect((await patch(id, { 'destination-type': 'generic', name: null })).status).toBe(422);
    expect((await list(workspace)).body.data).toHaveLength(1);
  });

  test('at most twenty of a workspace', async () => {
    const workspace = await newWorkspace();
    for (let i = 0; i < 20; i++) await create(workspace, attributesFor('/', { enabled: false }));
    const answer = await post(workspace, attributesFor('/', { enabled: false }));
    expect(answer.status).toBe(422);
    expect(issuesOf(answer)).toEqual([': A workspace has at most 20 notification configurations']);
    expect((await list(workspace)).body.data).toHaveLength(20);
  });

  test('nothing of it is there for those who do not administer the workspace, nor for the token of the organization', async () => {
    const workspace = await newWorkspace();
    const { id } = await create(workspace, attributesFor('/', { enabled: false }));
    const team = await acme.team(`writers-${++names}`);
    const granted = await acme.owner.call('POST', '/team-workspaces', {
      data: {
        type: 'team-workspaces',
        attributes: { access: 'write' },
        relationships: {
          team: { data: { type: 'teams', id: team } },
          workspace: { data: { type: 'workspaces', id: workspace } },
        },
      },
    });
    expect(granted.status).toBe(201);
    const made = await acme.owner.call('POST', `/organizations/${acme.name}/authentication-token`, {
      data: { type: 'authentication-tokens', attributes: {} },
    });
    const stranger = await api.user(`stranger-${++names}`);
    const writer = await newTeamMember(api, team, `writer-${++names}`);
    for (const caller of [stranger, writer, api.holder(made.body.data.attributes.token)]) {
      expect((await post(workspace, attributesFor('/'), caller)).status).toBe(404);
      expect((await caller.call('GET', `/workspaces/${workspace}/notification-configurations`)).status).toBe(404);
      for (const [method, path] of [
        ['GET', ''],
        ['PATCH', ''],
        ['DELETE', ''],
        ['POST', '/actions/verify'],
      ] as const) {
        const body = method === 'PATCH' ? { data: { type: 'notification-configurations', attributes: {} } } : undefined;
        expect((await caller.call(method, `/notification-configurations/${id}${path}`, body)).status).toBe(404);
      }
    }
    expect((await acme.owner.call('DELETE', `/notification-configurations/${id}`)).status).toBe(204);
    expect((await acme.owner.call('GET', `/notification-configurations/${id}`)).status).toBe(404);
  });

  test('each step of a run that is applied is told once, in order, signed, with who did it', async () => {
    const workspace = await newWorkspace();
    const path = newPath();
    const { id } = await create(workspace, attributesFor(path, { token: 'secret' }));
    const run = await runs.run(workspace, { message: 'Größer & <schöner>' });
    await runs.through(run, 'planning', 'planned');
    await runs.act(run, 'apply');
    await runs.through(run, 'applying', 'applied');
    await deliver();
    const messages = receiver.at(path).slice(1);
    expect(messages.map(({ body }) => body.notifications[0].trigger)).toEqual(RUN_TRIGGERS.slice(0, 5));
    const { attributes } = await runs.show(run);
    const place = (await runs.place(workspace)).attributes;
    expect(messages[0]?.body).toEqual({
      payload_version: 1,
      notification_configuration_id: id,
      run_url: `http://keeper.example.com:8443/app/${acme.name}/${place.name}/runs/${run}`,
      run_id: run,
      run_message: 'Größer & <schöner>',
      run_created_at: attributes['created-at'],
      run_created_by: acme.owner.username,
      workspace_id: workspace,
      workspace_name: place.name,
      organization_name: acme.name,
      notifications: [
        {
          message: 'Run created',
          trigger: 'run:created',
          run_status: 'pending',
          run_updated_at: attributes['created-at'],
          run_updated_by: acme.owner.username,
        },
      ],
    });
    expect(messages[3]?.body.notifications[0]).toMatchObject({
      run_status: 'applying',
      run_updated_at: attributes['status-timestamps']['applying-at'],
      run_updated_by: null,
    });
    for (const { bytes, headers } of messages) {
      const expected = createHmac('sha512', 'secret').update(bytes).digest('hex');
      expect(headers['x-tfe-notification-signature']).toBe(expected);
    }
    await deliver();
    expect(receiver.at(path)).toHaveLength(6);
  });

  test('a run that fails, is canceled, finds nothing to do or is confirmed by itself', async () => {
    const path = newPath();
    const workspace = await newWorkspace();
    await create(workspace, attributesFor(path, { triggers: RUN_TRIGGERS.slice(2) }));
    const failed = await runs.run(workspace);
    await runs.through(failed, 'planning', 'errored');
    await deliver();
    expect(triggersAt(path).slice(1)).toEqual(['run:errored']);
    const canceled = await runs.run(workspace);
    expect((await runs.act(canceled, 'cancel')).status).toBe(202);
    await deliver();
    expect(receiver.at(path).at(-1)?.body.notifications[0]).toMatchObject({
      trigger: 'run:errored',
      run_status: 'canceled',
      run_updated_by: acme.owner.username,
    });
    const idle = await runs.run(workspace);
    await runs.through(idle, 'planning');
    await runs.report(idle, 'planned', { 'has-changes': false });
    await deliver();
    expect(triggersAt(path).slice(3)).toEqual(['run:completed']);
    const automatic = await runs.run(workspace, { 'auto-apply': true });
    await runs.through(automatic, 'planning', 'planned', 'applying', 'applied');
    await deliver();
    expect(triggersAt(path).slice(4)).toEqual(['run:applying', 'run:completed']);
    const judged = await runs.run(workspace);
    await runs.through(judged, 'planning');
    await runs.report(judged, 'planned', { 'has-changes': true, 'stages-follow': true });
    await runs.through(judged, 'policy_checking', 'policy_override');
    await deliver();
    expect(
      receiver
        .at(path)
        .slice(6)
        .map(({ body }) => body.notifications[0]),
    ).toMatchObject([{ trigger: 'run:needs_attention', run_status: 'policy_override' }]);
    expect((await runs.act(judged, 'discard')).status).toBe(202);
    await deliver();
    expect(receiver.at(path), 'what a person has discarded is told to nobody').toHaveLength(7);
  });

  test('nothing is told of plans alone, nor of what was not asked for, nor where it is switched off', async () => {
    const workspace = await newWorkspace();
    const [all, errors, off] = [newPath(), newPath(), newPath()];
    await create(workspace, attributesFor(all));
    await create(workspace, attributesFor(errors, { triggers: ['run:errored'] }));
    await create(workspace, attributesFor(off, { enabled: false }));
    const plan = await runs.run(workspace, { 'plan-only': true });
    await runs.through(plan, 'planning', 'planned');
    await deliver();
    expect(receiver.at(all)).toHaveLength(1);
    const run = await runs.run(workspace);
    await runs.through(run, 'planning');
    await deliver();
    expect(triggersAt(all).slice(1)).toEqual(['run:created', 'run:planning']);
    expect(receiver.at(errors)).toHaveLength(1);
    expect(receiver.at(off)).toHaveLength(0);
  });

  test('Slack and Teams get what they understand, and no text becomes markup there', async () => {
    const workspace = await newWorkspace();
    const [slack, teams] = [newPath(), newPath()];
    const triggers = ['run:created'];
    await create(workspace, attributesFor(slack, { 'destination-type': 'slack', triggers }));
    await create(workspace, attributesFor(teams, { 'destination-type': 'microsoft-teams', triggers }));
    const evil = `<!channel> & <https://evil.example|here> [x](https://evil.example) ${'long '.repeat(200)}`;
    const run = await runs.run(workspace, { message: evil });
    await deliver();
    const [verification, message] = receiver.at(slack).map(({ body }) => body);
    expect(verification).toEqual({ text: 'Verification of Builds' });
    const { name } = (await runs.place(workspace)).attributes;
    expect(message.text).toBe(`${acme.name}/${name}: Run created`);
    expect(message.attachments[0]).toMatchObject({
      title: run,
      title_link: `http://keeper.example.com:8443/app/${acme.name}/${name}/runs/${run}`,
      text: expect.stringMatching(/^&lt;!channel&gt; &amp; &lt;https:.*…$/),
    });
    expect(JSON.stringify(message)).not.toContain('<');
    const [, card] = receiver.at(teams).map(({ body }) => body);
    const [{ contentType, content }] = card.attachments;
    expect(card.type).toBe('message');
    expect(contentType).toBe('application/vnd.microsoft.card.adaptive');
    expect(content.type).toBe('AdaptiveCard');
    // Runs of text are no markdown; blocks of text would be.
    const types = new Set(
      content.body.flatMap((block: { type: string; inlines: { type: string }[] }) => [
        block.type,
        ...block.inlines.map((inline) => inline.type),
      ]),
    );
    expect(types).toEqual(new Set(['RichTextBlock', 'TextRun']));
    expect(content.actions).toEqual([
      { type: 'Action.OpenUrl', title: 'Open the run', url: expect.stringContaining(run) },
    ]);
  });

  test('is sent again later where it was not taken, before what came after it; and is shown', async () => {
    const workspace = await newWorkspace();
    const path = newPath();
    const { id } = await create(workspace, attributesFor(path));
    receiver.answer = (_received, response) => void response.writeHead(503).end('later');
    const run = await runs.run(workspace);
    await runs.through(run, 'planning');
    await deliver();
    expect(triggersAt(path).slice(1)).toEqual(['run:created']);
    const [response] = (await show(id)).attributes['delivery-responses'];
    expect(response).toMatchObject({ code: '503', body: 'later', successful: 'false' });
    await deliver();
    expect(receiver.at(path), 'not before its time').toHaveLength(2);
    api.advance(15_000);
    await deliver();
    expect(triggersAt(path).slice(1)).toEqual(['run:created', 'run:created']);
    receiver.answer = (_received, response2) => void response2.end('taken');
    api.advance(45_000);
    await deliver();
    expect(triggersAt(path).slice(3)).toEqual(['run:created', 'run:planning']);
  });

  test('a new address is sent at once what the old one has not taken', async () => {
    const workspace = await newWorkspace();
    const [wrong, right] = [newPath(), newPath()];
    const { id } = await create(workspace, attributesFor(wrong, { triggers: ['run:created'] }));
    receiver.answer = ({ path }, response) => void response.writeHead(path === wrong ? 503 : 200).end();
    await runs.run(workspace);
    await deliver();
    expect((await patch(id, { url: receiver.address + right })).status).toBe(200);
    await deliver();
    expect(triggersAt(right)).toEqual(['verification', 'run:created']);
  });

  test('is given up after ten tries, after a day, and at once where it would fare no better', async () => {
    const workspace = await newWorkspace();
    const path = newPath();
    const { id } = await create(workspace, attributesFor(path, { triggers: ['run:created'] }));
    receiver.answer = (_received, response) => void response.writeHead(500).end();
    await runs.run(workspace);
    for (let i = 0; i < 24; i++) {
      await deliver();
      api.advance(HOUR / 4);
    }
    expect(receiver.at(path)).toHaveLength(1 + 10);
    expect(noted.at(-1)).toEqual([
      {
        notification_configuration: id,
        workspace,
        run: expect.stringMatching(/^run-/),
        trigger: 'run:created',
        tries: 10,
        reason: 'it answers with status 500',
      },
      'a notification was given up',
    ]);
    await runs.run(workspace);
    await deliver();
    expect(receiver.at(path)).toHaveLength(12);
    api.advance(24 * HOUR);
    await deliver();
    expect(receiver.at(path)).toHaveLength(12);
    expect((await show(id)).attributes['delivery-responses'][0]).toMatchObject({
      body: expect.stringContaining('1 notifications were given up'),
      code: '',
    });
    receiver.answer = (_received, response) => void response.writeHead(404).end('no such channel');
    await runs.run(workspace);
    await deliver();
    api.advance(HOUR);
    await deliver();
    expect(receiver.at(path)).toHaveLength(13);
    expect((await show(id)).attributes['delivery-responses'][0]).toMatchObject({
      code: '404',
      body: 'no such channel',
    });
  });

  test('a receiver that does not answer holds up no other', async () => {
    const dead = await startReceiver();
    const workspace = await newWorkspace();
    const path = newPath();
    const triggers = ['run:created'];
    for (let i = 0; i < 6; i++) await create(workspace, attributesFor('/', { url: `${dead.address}/${i}`, triggers }));
    await create(workspace, attributesFor(path, { triggers }));
    dead.answer = () => {};
    const waiting = dead.received.length;
    await runs.run(workspace);
    await api.workspaces.execution.notificationDeliveries.begin();
    await expect.poll(() => receiver.at(path), { timeout: 10_000 }).toHaveLength(2);
    await expect.poll(() => dead.received.length - waiting, { timeout: 10_000 }).toBe(4);
    await dead.stop();
    await api.workspaces.execution.notificationDeliveries.settled();
  });

  test('what is switched off, deleted or gone with its workspace is told nothing more', async () => {
    const workspace = await newWorkspace();
    const [off, deleted, gone] = [newPath(), newPath(), newPath()];
    const ids = [];
    for (const path of [off, deleted, gone]) ids.push((await create(workspace, attributesFor(path))).id);
    await runs.run(workspace);
    expect((await patch(ids[0], { enabled: false })).status).toBe(200);
    expect((await acme.owner.call('DELETE', `/notification-configurations/${ids[1]}`)).status).toBe(204);
    expect((await acme.owner.call('DELETE', `/workspaces/${workspace}`)).status).toBe(204);
    expect((await acme.owner.call('GET', `/notification-configurations/${ids[2]}`)).status).toBe(404);
    await deliver();
    for (const path of [off, deleted, gone]) expect(receiver.at(path)).toHaveLength(1);
    const [item] = (await acme.owner.call('GET', `/organizations/${acme.name}/recoverable-items`)).body.data;
    expect((await acme.owner.call('PUT', `/recoverable-items/${item.id}/actions/recover`)).status).toBe(204);
    expect((await list(workspace)).body.data.map(({ id }: { id: string }) => id)).toEqual([ids[0], ids[2]]);
    await runs.run(workspace);
    await deliver();
    expect(triggersAt(gone).slice(1)).toEqual(['run:created']);
    expect(receiver.at(off)).toHaveLength(1);
  });

  test('what is left of an organization that was deleted is told to nobody', async () => {
    const other = await newOrganization(api);
    const otherRuns = runsOf(api, other);
    const workspace = await otherRuns.workspace('one');
    const path = newPath();
    expect((await post(workspace, attributesFor(path), other.owner)).status).toBe(201);
    await otherRuns.run(workspace);
    expect((await other.owner.call('DELETE', `/organizations/${other.name}`)).status).toBe(204);
    await deliver();
    expect(receiver.at(path)).toHaveLength(1);
  });

  test('a step that is rolled back is told to nobody', async () => {
    const workspace = await newWorkspace();
    const path = newPath();
    await create(workspace, attributesFor(path, { triggers: ['run:planning'] }));
    const run = await runs.run(workspace);
    const { stepped } = api.workspaces.execution.runProgress;
    const fail = () => Promise.reject(new Error('the last listener fails'));
    stepped.push(fail);
    expect((await runs.report(run, 'planning')).status).toBe(500);
    stepped.splice(stepped.indexOf(fail), 1);
    await deliver();
    expect(receiver.at(path)).toHaveLength(1);
    await runs.through(run, 'planning');
    await deliver();
    expect(triggersAt(path).slice(1)).toEqual(['run:planning']);
  });
});
