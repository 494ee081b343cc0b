import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import type { Receiver } from '../../../support/receiver.ts';
import type { TestApi } from '../support/api.ts';
import { notificationsOf, RUN_TRIGGERS, startNotifying } from '../support/notifications.ts';
import { issuesOf, newTeamMember, type TestOrganization } from '../support/organization.ts';
import type { TestRuns } from '../support/runs.ts';

const KEPT_TRIGGERS = [
  'assessment:drifted',
  'assessment:failed',
  'assessment:check_failure',
  'workspace:auto_destroy_reminder',
  'workspace:auto_destroy_run_results',
];

describe.each(databaseKinds)('notification configurations on %s (facts §6.13)', (kind) => {
  let api: TestApi;
  let receiver: Receiver;
  let acme: TestOrganization;
  let runs: TestRuns;
  let names = 0;
  beforeAll(async () => {
    ({ api, receiver, acme, runs } = await startNotifying(kind));
  });
  afterAll(async () => {
    await receiver.stop();
    await api.close();
  });
  afterEach(() => {
    receiver.answer = (_received, response) => void response.end('ok');
  });

  const { newWorkspace, newPath, attributesFor, post, create, show, patch, verify, list } = notificationsOf(() => ({
    api,
    receiver,
    acme,
    runs,
  }));

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

  test('a list has pages on request', async () => {
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
      'the receiver answered with status 500',
    ],
    [
      'a redirect',
      (response: { writeHead(status: number, headers: object): { end(): void } }) =>
        response.writeHead(302, { location: '/elsewhere' }).end(),
      'the receiver answered with a redirect, which the server does not follow',
    ],
    [
      'a connection that breaks',
      (response: { destroy(): void }) => response.destroy(),
      'the server could not connect, or does not trust the certificate of the receiver',
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

  test('is verified when it is enabled, when its URL or token changes, and on request', async () => {
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

  test('incompatible attributes are refused, each with its pointer', async () => {
    const workspace = await newWorkspace();
    const issues = async (attributes: object, more = {}) => {
      const answer = await post(workspace, attributes, acme.owner, more);
      expect(answer.status, answer.text).toBe(422);
      return issuesOf(answer);
    };
    expect(await issues({})).toEqual(["/data/attributes/destination-type: Destination type can't be blank"]);
    expect(await issues({ 'destination-type': 'pigeon' })).toEqual([
      '/data/attributes/destination-type: Destination type is none of generic, slack, microsoft-teams, email',
    ]);
    expect(await issues({ 'destination-type': 'generic', name: ' ', triggers: ['the beacons are lit'] })).toEqual([
      "/data/attributes/name: Name can't be blank",
      "/data/attributes/url: Url can't be blank",
      expect.stringContaining('/data/attributes/triggers: Triggers contains unknown values: the beacons are lit.'),
    ]);
    const slack = attributesFor('/', { 'destination-type': 'slack', token: 'secret' });
    expect(await issues(slack)).toEqual([expect.stringContaining('/data/attributes/token: ')]);
    for (const url of ['ftp://example.com/', 'example.com', 'https://me:secret@example.com/']) {
      expect(await issues(attributesFor('/', { url }))).toEqual([expect.stringContaining('/data/attributes/url: ')]);
    }
    const mail = { name: 'Mail', 'destination-type': 'email', enabled: false };
    expect(await issues({ ...mail, url: 'https://example.com/', token: 'secret' })).toEqual([
      expect.stringContaining('/data/attributes/url: Url is not allowed for destination type email'),
      expect.stringContaining('/data/attributes/token: '),
    ]);
    expect(await issues({ ...mail, 'email-addresses': ['a@example.com\r\nBcc: b@example.com', 'none'] })).toEqual([
      expect.stringContaining('/data/attributes/email-addresses: Email addresses contains invalid addresses'),
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
    expect(issuesOf(answer)).toEqual([
      ': A workspace, project, team or organization has at most 20 notification configurations',
    ]);
    expect((await list(workspace)).body.data).toHaveLength(20);
  });

  test('users who do not administer the workspace, and the token of the organization, get 404', async () => {
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
});
