import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunEffect } from '../../../../src/workspaces/execution/run/run-effect.ts';
import { databaseKinds } from '../../../support/databases.ts';
import type { Receiver } from '../../../support/receiver.ts';
import type { TestApi } from '../support/api.ts';
import { notificationsOf, RUN_TRIGGERS, startNotifying } from '../support/notifications.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { runsOf, type TestRuns } from '../support/runs.ts';

describe.each(databaseKinds)('notification deliveries on %s (facts §6.13)', (kind) => {
  let api: TestApi;
  let receiver: Receiver;
  let acme: TestOrganization;
  let runs: TestRuns;
  beforeAll(async () => {
    ({ api, receiver, acme, runs } = await startNotifying(kind));
  });
  afterAll(async () => {
    await receiver.stop();
    await api.close();
  });

  const { newWorkspace, newPath, attributesFor, post, create, patch, list, deliver, triggersAt } = notificationsOf(
    () => ({ api, receiver, acme, runs }),
  );

  test('sends each step of an applied run once, in order, signed, with the user who caused it', async () => {
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
      run_updated_by: acme.owner.username,
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
    const waiting = await runs.run(workspace);
    await runs.through(waiting, 'planning', 'planned');
    await deliver();
    expect(
      receiver
        .at(path)
        .slice(6)
        .map(({ body }) => body.notifications[0]),
    ).toMatchObject([{ trigger: 'run:needs_attention', run_status: 'planned' }]);
    expect((await runs.act(waiting, 'discard')).status).toBe(202);
    await deliver();
    expect(receiver.at(path), 'sends nothing about a run that a user has discarded').toHaveLength(7);
  });

  test('sends nothing about speculative plans, unselected triggers and disabled configurations', async () => {
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

  test('Slack and Teams get their own formats, and no text becomes markup there', async () => {
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
    // `TextRun` elements are not parsed as Markdown. `TextBlock` elements would be.
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

  test('sends nothing more for a configuration that is disabled, deleted or gone with its workspace', async () => {
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

  test('sends nothing that remains of a deleted organization', async () => {
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

  test('sends nothing about a step that is rolled back', async () => {
    const workspace = await newWorkspace();
    const path = newPath();
    await create(workspace, attributesFor(path, { triggers: ['run:planning'] }));
    const run = await runs.run(workspace);
    const effects = api.workspaces.execution.runStateMachine.reactions.effects as RunEffect[];
    const fail = () => Promise.reject(new Error('the last effect fails'));
    effects.push({ name: 'fails', on: ['planning'], run: fail });
    expect((await runs.report(run, 'planning')).status).toBe(500);
    effects.pop();
    await deliver();
    expect(receiver.at(path)).toHaveLength(1);
    await runs.through(run, 'planning');
    await deliver();
    expect(triggersAt(path).slice(1)).toEqual(['run:planning']);
  });
});
