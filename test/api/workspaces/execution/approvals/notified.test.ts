import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import { approvalsIn } from '../../support/approvals.ts';
import { type Notifying, notificationsOf, startNotifying } from '../../support/notifications.ts';

describe.each(databaseKinds)('notifications about approvals on %s', (kind) => {
  let server: Notifying;
  beforeAll(async () => {
    server = await startNotifying(kind);
  });
  afterAll(async () => {
    await server.receiver.stop();
    await server.api.close();
  });
  const notifications = notificationsOf(() => server);

  test('a run that would be applied automatically needs attention once it waits for approvals', async () => {
    const { api, acme, runs } = server;
    const on = approvalsIn(api, acme);
    const { team, people } = await on.approvers(1);
    const workspace = await notifications.newWorkspace();
    const path = notifications.newPath();
    await notifications.create(workspace, notifications.attributesFor(path));
    await on.rule(`/workspaces/${workspace}`, [team]);
    const run = await runs.run(workspace, { 'auto-apply': true });
    await runs.through(run, 'planning', 'planned');
    await notifications.deliver();
    const waiting = ['verification', 'run:created', 'run:planning', 'run:needs_attention'];
    expect(notifications.triggersAt(path)).toEqual(waiting);
    expect((await on.approve(run, people[0] as (typeof people)[number])).status).toBe(202);
    await runs.through(run, 'applying', 'applied');
    await notifications.deliver();
    expect(notifications.triggersAt(path)).toEqual([...waiting, 'run:applying', 'run:completed']);
  });
});
