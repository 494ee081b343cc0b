import { makeWorkspace, type PageGroup } from '../../support/console.ts';
import { hostile, makeOf } from '../../support/organization.ts';

const pages: PageGroup = {
  name: 'settings of a workspace',
  prepare: async (on) => {
    const make = makeOf(on);
    const id = await makeWorkspace(on, 'has-settings', ['team:network']);
    const at = (part: string) => `/acme/workspaces/has-settings/settings${part}`;
    await make(`/workspaces/${id}/notification-configurations`, 'notification-configurations', {
      name: hostile.padEnd(90, 'x'),
      'destination-type': 'generic',
      url: 'https://hooks.example.com/a-long-way',
      triggers: ['run:created', 'run:planning', 'run:needs_attention', 'run:completed', 'run:errored'],
    });
    const other = await makeWorkspace(on, 'y'.repeat(90));
    await on.server.user('POST', `/api/v2/workspaces/${id}/run-triggers`, {
      data: { relationships: { sourceable: { data: { type: 'workspaces', id: other } } } },
    });
    await on.server.user('POST', `/api/v2/workspaces/${id}/relationships/remote-state-consumers`, {
      data: [{ type: 'workspaces', id: other }],
    });
    await on.server.user('POST', `/api/v2/workspaces/${id}/relationships/tag-bindings`, {
      data: [{ attributes: { key: 'k'.repeat(90), value: 'v'.repeat(90) } }],
    });
    await make(`/workspaces/${id}/relationships/data-retention-policy`, 'data-retention-policy-delete-olders', {
      'delete-older-than-n-days': 30,
    });
    const task = await make('/organizations/acme/tasks', 'tasks', {
      ...{ name: 't'.repeat(90), category: 'task', url: 'https://checks.example.com/task', enabled: false },
      'global-configuration': { enabled: true, stages: ['pre_plan'], 'enforcement-level': 'mandatory' },
    });
    await make(
      `/workspaces/${id}/tasks`,
      'workspace-tasks',
      { stages: ['post_plan', 'pre_apply'], 'enforcement-level': 'advisory' },
      { task: ['tasks', task] },
    );
    await make(`/workspaces/${id}/schedules`, 'schedules', {
      ...{ name: 's'.repeat(90), operation: 'apply', cron: '0,30 1-5 1,15 * MON-FRI', 'time-zone': 'Europe/Berlin' },
      jitter: 600,
    });
    const [owners] = (await on.server.user('GET', '/api/v2/organizations/acme/teams')).body.data;
    const teams = { teams: { data: [{ type: 'teams', id: owners.id }] } };
    for (const name of ['production', hostile.padEnd(90, 'x')]) {
      await on.server.user('POST', `/api/v2/workspaces/${id}/approval-rules`, {
        data: { type: 'approval-rules', attributes: { name, 'required-approvals': 2 }, relationships: teams },
      });
    }
    const parts = ['', '/approvals', '/notifications', '/run-triggers', '/run-tasks', '/schedules', '/state-sharing'];
    return [...parts, '/tags', '/retention'].map(at);
  },
};

export default pages;
