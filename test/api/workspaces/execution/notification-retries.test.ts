import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { type Receiver, startReceiver } from '../../../support/receiver.ts';
import type { TestApi } from '../support/api.ts';
import { notificationsOf, startNotifying } from '../support/notifications.ts';
import type { TestOrganization } from '../support/organization.ts';
import type { TestRuns } from '../support/runs.ts';

const HOUR = 3_600_000;

describe.each(databaseKinds)('notifications that are not taken on %s (facts §6.13)', (kind) => {
  let api: TestApi;
  let receiver: Receiver;
  let acme: TestOrganization;
  let runs: TestRuns;
  const noted: (readonly [object, string])[] = [];
  beforeAll(async () => {
    ({ api, receiver, acme, runs } = await startNotifying(kind, (event, message) => void noted.push([event, message])));
  });
  afterAll(async () => {
    await receiver.stop();
    await api.close();
  });
  afterEach(() => {
    receiver.answer = (_received, response) => void response.end('ok');
  });

  const { newWorkspace, newPath, attributesFor, create, show, patch, deliver, triggersAt } = notificationsOf(() => ({
    api,
    receiver,
    acme,
    runs,
  }));

  test('is sent again after a failure, before later notifications; and is shown', async () => {
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

  test('a new URL immediately gets the failed deliveries of the old one', async () => {
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
        reason: 'the receiver answered with status 500',
      },
      'a notification was dropped after its last attempt',
    ]);
    await runs.run(workspace);
    await deliver();
    expect(receiver.at(path)).toHaveLength(12);
    api.advance(24 * HOUR);
    await deliver();
    expect(receiver.at(path)).toHaveLength(12);
    expect((await show(id)).attributes['delivery-responses'][0]).toMatchObject({
      body: expect.stringContaining('1 notifications were dropped'),
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

  test('a receiver that does not respond delays no other', async () => {
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
});
