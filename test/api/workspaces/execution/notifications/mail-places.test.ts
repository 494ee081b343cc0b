import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../../../src/storage/index.ts';
import { databaseKinds } from '../../../../support/databases.ts';
import { startSmtp, type TestSmtp } from '../../../../support/mail/smtp.ts';
import type { Receiver } from '../../../../support/receiver.ts';
import type { TestApi } from '../../support/api.ts';
import { type Notifying, notificationsOf, startNotifying } from '../../support/notifications.ts';
import { newOrganization, type TestOrganization } from '../../support/organization.ts';
import { runsOf } from '../../support/runs.ts';

const HOUR = 3_600_000;
/** The least that the configuration allows. */
const QUOTA = 100;
const setBegin = sql<{ name: string; at: number }>(
  'UPDATE email_usage SET began_at = :at WHERE organization_id = (SELECT id FROM organization WHERE name = :name)',
);
const addresses = (of: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${of}-${at}@lists.example.org`);

describe.each(databaseKinds)('emails of several organizations on %s', (kind) => {
  let smtp: TestSmtp;
  let api: TestApi;
  let receiver: Receiver;
  let greedy: Notifying;
  let modest: Notifying;

  beforeAll(async () => {
    smtp = await startSmtp();
    const mail = { ...smtp.settings, recipientDomains: ['lists.example.org'], recipientsPerHour: QUOTA };
    greedy = await startNotifying(kind, () => {}, mail);
    ({ api, receiver } = greedy);
    modest = another(await newOrganization(api));
  });
  afterAll(async () => {
    await receiver.stop();
    await api.close();
    await smtp.stop();
  });
  afterEach(() => {
    smtp.received.length = 0;
    smtp.hangs.clear();
  });

  const another = (acme: TestOrganization): Notifying => ({ api, receiver, acme, runs: runsOf(api, acme) });
  const fresh = async () => {
    [greedy, modest] = [another(await newOrganization(api)), another(await newOrganization(api))];
  };
  const ofGreedy = notificationsOf(() => greedy);
  const ofModest = notificationsOf(() => modest);
  const email = (to: readonly string[]) => ({
    ...{ name: 'Mail', 'destination-type': 'email', enabled: true, triggers: ['run:created'], 'email-addresses': to },
  });
  const receivedBy = (of: string) => smtp.received.flatMap(({ to }) => to).filter((one) => one.startsWith(of)).length;
  const lastOf = async (id: string) => (await ofGreedy.show(id)).attributes['delivery-responses'][0];

  test('that hang take few places, and neither other organizations nor messages to URLs wait', async () => {
    await fresh();
    const [slow = ''] = addresses('slow', 1);
    smtp.hangs.set(slow, 0);
    for (let at = 0; at < 5; at++) {
      const workspace = await ofGreedy.newWorkspace();
      await ofGreedy.createIn(`workspaces/${workspace}`, email([slow]));
      await greedy.runs.create(workspace);
    }
    const workspace = await ofModest.newWorkspace();
    await ofModest.createIn(`workspaces/${workspace}`, email(addresses('modest', 1)));
    const path = ofModest.newPath();
    await ofModest.createIn(`workspaces/${workspace}`, ofModest.attributesFor(path, { triggers: ['run:created'] }));
    await modest.runs.create(workspace);

    const { emailDeliveries, notificationDeliveries } = api.workspaces.execution;
    await emailDeliveries.begin();
    await expect.poll(() => receivedBy('modest')).toBe(1);
    // The slow ones wait for their answer still: no other one of them has started.
    expect(smtp.hangs.get(slow)).toBe(2);
    await notificationDeliveries.begin();
    await notificationDeliveries.settled();
    expect(receiver.at(path).length).toBe(2);
    await emailDeliveries.settled();
  });

  test('over the quota wait for the next hour, in order, and others are sent', async () => {
    await fresh();
    const workspace = await ofGreedy.newWorkspace();
    const { id } = await ofGreedy.createIn(`workspaces/${workspace}`, email(addresses('greedy', 60)));
    await greedy.runs.create(workspace);
    api.advance(1000);
    await greedy.runs.create(workspace);
    const other = await ofModest.newWorkspace();
    await ofModest.createIn(`workspaces/${other}`, email(addresses('modest', 60)));
    await modest.runs.create(other);
    for (let round = 0; round < 3; round++) await ofGreedy.deliver();
    expect([receivedBy('greedy'), receivedBy('modest')]).toEqual([60, 60]);
    const waiting = await lastOf(id);
    expect(waiting).toMatchObject({ successful: 'false', code: '' });
    expect(waiting.body).toContain(`which is to ${QUOTA} recipients. Emails continue at 20`);
    const { notificationMetrics } = api.workspaces.execution;
    const labels = notificationMetrics.all().map((counted) => counted.labels);
    expect(labels).toContainEqual({ destination: 'email', outcome: 'postponed' });

    // A test email counts too.
    const verified = await ofGreedy.verify(id);
    expect(verified.status).toBe(429);
    expect(Number(verified.headers['retry-after'])).toBeGreaterThan(3000);
    expect(verified.body.errors[0].detail).toContain('as many emails in this hour as the server allows');

    api.advance(HOUR);
    await ofGreedy.deliver();
    expect(receivedBy('greedy')).toBe(120);
    expect(await lastOf(id)).toMatchObject({ successful: 'true', code: '250' });
  });

  test('are sent although the clock was ahead when their hour started', async () => {
    await fresh();
    const workspace = await ofGreedy.newWorkspace();
    await ofGreedy.createIn(`workspaces/${workspace}`, email(addresses('ahead', 80)));
    await greedy.runs.create(workspace);
    await ofGreedy.deliver();
    expect(receivedBy('ahead')).toBe(80);
    await api.workspaces.database.run(setBegin, { name: greedy.acme.name, at: api.now() + 48 * HOUR });
    await greedy.runs.create(workspace);
    await ofGreedy.deliver();
    expect(receivedBy('ahead')).toBe(160);
    await greedy.runs.create(workspace);
    await ofGreedy.deliver();
    expect(receivedBy('ahead')).toBe(160);
  });

  test('that the SMTP server postpones do not use the quota', async () => {
    await fresh();
    const workspace = await ofGreedy.newWorkspace();
    const to = addresses('later', 60);
    const { id } = await ofGreedy.createIn(`workspaces/${workspace}`, email(to));
    for (const address of to) smtp.refuses.set(address, 450);
    await greedy.runs.create(workspace);
    for (let round = 0; round < 3; round++) {
      await ofGreedy.deliver();
      api.advance(60_000 * 4 ** round);
    }
    expect((await lastOf(id)).body).not.toContain('Emails continue');
    smtp.refuses.clear();
    await ofGreedy.deliver();
    expect(receivedBy('later')).toBe(60);
  });

  test('are counted by all nodes together', async () => {
    await fresh();
    const bodies: string[] = [];
    for (let at = 0; at < 4; at++) {
      const workspace = await ofGreedy.newWorkspace();
      const made = await ofGreedy.createIn(`workspaces/${workspace}`, email(addresses(`node-${at}`, 40)));
      bodies.push(made.id);
      await greedy.runs.create(workspace);
    }
    const nodes = [api.workspaces, api.anotherProcess()].map(({ execution }) => execution.emailDeliveries);
    for (let round = 0; round < 3; round++) {
      await Promise.all(nodes.map((node) => node.begin()));
      await Promise.all(nodes.map((node) => node.settled()));
    }
    expect(receivedBy('node')).toBe(80);
  });
});
