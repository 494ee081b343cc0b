import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import type { Receiver } from '../../../../support/receiver.ts';
import type { TestApi } from '../../support/api.ts';
import { autoDestroyOf, DAY, HOUR } from '../../support/auto-destroy.ts';
import { notificationsOf, startNotifying } from '../../support/notifications.ts';
import type { TestOrganization } from '../../support/organization.ts';
import type { TestRuns } from '../../support/runs.ts';

describe.each(databaseKinds)('notifications of automatic destroy runs on %s', (kind) => {
  let api: TestApi;
  let receiver: Receiver;
  let acme: TestOrganization;
  let runs: TestRuns;
  let at: ReturnType<typeof autoDestroyOf>;
  beforeAll(async () => {
    ({ api, receiver, acme, runs } = await startNotifying(kind));
    at = autoDestroyOf(api, acme);
  });
  afterAll(async () => {
    await receiver.stop();
    await api.close();
  });

  const { newPath, attributesFor, createIn, deliver } = notificationsOf(() => ({ api, receiver, acme, runs }));
  const REMINDER = 'workspace:auto_destroy_reminder';
  const RESULTS = 'workspace:auto_destroy_run_results';
  /** Returns the messages at a path, without the verification, which has another form. */
  const messagesAt = (path: string) => receiver.at(path).filter(({ body }) => body.trigger !== undefined);

  test('remind before the run, and report its result', async () => {
    const path = newPath();
    const id = await at.workspace({ 'auto-destroy-at': at.inTime(2 * DAY) });
    await createIn(`workspaces/${id}`, attributesFor(path, { triggers: [REMINDER, RESULTS] }));
    await at.later(DAY + HOUR);
    await deliver();
    expect(messagesAt(path).map(({ body }) => body.trigger)).toEqual([REMINDER]);
    await at.later(DAY);
    await deliver();
    await at.applied(await at.begun(id));
    await deliver();
    const sent = messagesAt(path).map(({ body }) => body);
    expect(sent.map(({ trigger }) => trigger)).toEqual([REMINDER, RESULTS]);
    expect(sent[1].details).toMatchObject({ run_status: 'applied', text: expect.stringContaining('destroyed') });
  });

  test('list a run that cannot start in the digest', async () => {
    const path = newPath();
    const id = await at.workspace({ 'auto-destroy-at': '2025-01-01T00:00:00Z', 'allow-destroy-plan': false });
    const digest = { hour: 8, 'time-zone': 'UTC', 'waiting-hours': 4 };
    await createIn(`workspaces/${id}`, attributesFor(path, { triggers: [], digest }));
    await at.later(DAY);
    await deliver();
    const { name } = (await runs.place(id)).attributes;
    expect(messagesAt(path)[0]?.body.details.sections).toMatchObject([
      { kind: 'auto-destroy', total: 1, workspaces: [{ workspace_name: name, since: '2025-01-01T00:00:00.000Z' }] },
    ]);
  });
});
