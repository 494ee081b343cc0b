import { expect, test } from 'vitest';
import { messageOf, type Story } from './message.ts';

const STORY: Story = {
  trigger: 'run:needs_attention',
  ...{ workspaceId: 'ws-1', workspaceName: 'network', organizationName: 'acme' },
  ...{ runId: 'run-1', runMessage: 'Add <queue>', runStatus: 'planned', runCreatedAt: 0, runUpdatedAt: 60_000 },
  ...{ runCreatedBy: { type: 'users', id: 'user-1' }, runCreatedByName: 'ada', runUpdatedBy: null },
  runUrl: 'https://keeper.example.com/app/acme/network/runs/run-1',
  ...{ createdByName: 'ada', updatedByName: null, commit: undefined, approvals: { required: 2, given: 1 } },
};
const configuration = (destinationType: 'generic' | 'slack' | 'microsoft-teams') => ({
  ...{ id: 'nc-1', name: 'Builds', destinationType },
});

test('a run that waits has a button in Slack that opens its page, and says which approvals are missing', () => {
  expect(messageOf(configuration('slack'), STORY)).toMatchObject({
    text: 'acme/network: Run needs attention: it waits for a decision, 1 of 2 approvals',
    attachments: [
      {
        text: 'Add &lt;queue&gt;',
        title_link: STORY.runUrl,
        actions: [{ type: 'button', text: 'Review and confirm', url: STORY.runUrl }],
      },
    ],
  });
  expect(messageOf(configuration('slack'), { ...STORY, trigger: 'run:completed' })).not.toHaveProperty(
    'attachments.0.actions',
  );
});

test('a run that waits has a link in Teams that opens its page', () => {
  expect(messageOf(configuration('microsoft-teams'), STORY)).toMatchObject({
    attachments: [
      { content: { actions: [{ type: 'Action.OpenUrl', title: 'Review and confirm', url: STORY.runUrl }] } },
    ],
  });
});

test('a generic message has the approvals in its text', () => {
  expect(messageOf(configuration('generic'), STORY)).toMatchObject({
    notifications: [{ message: 'Run needs attention: it waits for a decision, 1 of 2 approvals' }],
  });
});

test('results of auto-destroy have the payload of HCP Terraform', () => {
  const story = {
    ...({
      trigger: 'workspace:auto_destroy_run_results',
      text: 'No configuration',
      destroyAt: null,
      runId: null,
    } as const),
    ...{ runStatus: null, runCreatedAt: null, happenedAt: 60_000, origin: 'https://keeper.example.com' },
    ...{ workspaceId: 'ws-1', workspaceName: 'network', organizationName: 'acme' },
  };
  expect(messageOf(configuration('generic'), story)).toMatchObject({
    payload_version: '2',
    trigger_scope: 'workspace',
    trigger: 'workspace:auto_destroy_run_results',
    message: 'Auto Destroy Results',
    details: { run_external_id: null, run_create_error_message: 'No configuration', trigger_type: 'results' },
  });
  const slack = messageOf(configuration('slack'), { ...story, runId: 'run-1', runStatus: 'applied' });
  expect(slack).toMatchObject({
    attachments: [{ title_link: 'https://keeper.example.com/app/acme/workspaces/network/runs/run-1' }],
  });
});
