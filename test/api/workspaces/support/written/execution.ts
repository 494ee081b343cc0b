import { secret, token, type Written } from './written.ts';

const agentPool: Written = { sets: [{ name: 'written', 'organization-scoped': false }] };
const agentStatus: Written = { sets: [{ status: 'exited' }], isWhole: true, byAgent: true };

const APPROVAL_RULE = {
  name: 'written',
  operations: 'destroy',
  'requester-may-approve': true,
  'required-approvals': 2,
};
const NOTIFICATION = {
  name: 'written',
  url: 'https://receiver.example.com/hook',
  triggers: ['run:errored', 'run:completed'],
  digest: { hour: 7, 'time-zone': 'Europe/Berlin', 'waiting-hours': 2 },
};
const NOTIFICATION_ELSEWHERE = {
  token: secret,
  enabled: { why: 'its receiver has to answer: test of notifications' },
  'email-addresses': { why: 'only for emails: test of emails' },
};
const notification: Written = {
  sets: [{ ...NOTIFICATION, 'destination-type': 'slack' }],
  elsewhere: NOTIFICATION_ELSEWHERE,
};

const TASK = {
  name: 'written',
  description: 'Written',
  url: 'https://checks.example.com/task',
  'global-configuration': { enabled: true, stages: ['post_plan', 'pre_plan'], 'enforcement-level': 'mandatory' },
};
const TASK_ELSEWHERE = {
  'hmac-key': secret,
  category: { why: 'is one word' },
  enabled: { why: 'its service has to answer: test of run tasks' },
};
const agent: Written = {
  sets: [{ name: 'written', engines: ['opentofu 1.10.7'], 'any-engine': false }],
  byAgent: true,
};
const VIEW = {
  name: 'written',
  query: {
    type: 'workspaces',
    filter: [{ field: 'drifted', operator: 'is', value: ['true'] }],
    fields: ['workspace_name'],
    sort: ['-workspace_name'],
  },
};
const WORKSPACE_TASK = { 'enforcement-level': 'mandatory', stages: ['pre_apply', 'pre_plan'] };

const schedule: Written = {
  sets: [
    {
      ...{ name: 'written', operation: 'refresh', cron: '30 3 * * 1-5', 'time-zone': 'Europe/Berlin' },
      ...{ jitter: 600, 'when-busy': 'queue', paused: true },
    },
  ],
};

/** Attributes that agents, configuration versions, runs and notification configurations take. */
export const EXECUTION_WRITTEN: Readonly<Record<string, Written>> = {
  'POST /organizations/:organization_name/agent-pools': agentPool,
  'PATCH /agent-pools/:agent_pool_id': agentPool,
  'POST /agent-pools/:agent_pool_id/authentication-tokens': token,
  'POST /agent-pools/:agent_pool_id/agents': agent,
  'POST /agents': agent,
  'PATCH /agents/:agent_id': agentStatus,
  'POST /workspaces/:workspace_id/notification-configurations': notification,
  'POST /projects/:project_id/notification-configurations': notification,
  'POST /teams/:team_id/notification-configurations': notification,
  'POST /organizations/:organization_name/notification-configurations': notification,
  'POST /workspaces/:workspace_id/approval-rules': { sets: [APPROVAL_RULE] },
  'POST /projects/:project_id/approval-rules': { sets: [APPROVAL_RULE] },
  'PATCH /approval-rules/:approval_rule_id': { sets: [APPROVAL_RULE] },
  'PATCH /notification-configurations/:notification_configuration_id': {
    sets: [NOTIFICATION],
    elsewhere: { ...NOTIFICATION_ELSEWHERE, 'destination-type': { why: 'stays what it is' } },
  },
  'POST /workspaces/:workspace_id/schedules': schedule,
  'POST /projects/:project_id/schedules': schedule,
  'PATCH /schedules/:schedule_id': schedule,
  'POST /organizations/:organization_name/explorer/views': {
    sets: [
      { ...VIEW, 'query-type': 'workspaces' },
      { name: 'other', 'query-type': 'modules', query: { type: 'modules', filter: [], fields: [], sort: [] } },
    ],
    elsewhere: { query_type: { why: 'is another name of query-type' } },
  },
  'PATCH /organizations/:organization_name/explorer/views/:view_id': {
    sets: [VIEW],
    elsewhere: {
      'query-type': { why: 'stays what it is' },
      query_type: { why: 'is another name of query-type' },
    },
  },
  'POST /organizations/:organization_name/tasks': { sets: [TASK], elsewhere: TASK_ELSEWHERE },
  'PATCH /tasks/:task_id': { sets: [TASK], elsewhere: TASK_ELSEWHERE },
  'POST /workspaces/:workspace_id/tasks': {
    ...{ sets: [WORKSPACE_TASK], isOnlyOne: true },
    elsewhere: { stage: { why: 'is the first of stages' } },
  },
  'PATCH /workspaces/:workspace_id/tasks/:workspace_task_id': { sets: [WORKSPACE_TASK, { stage: 'post_apply' }] },
  'POST /runs/:run_id/comments': { sets: [{ body: 'Written' }] },
  'POST /workspaces/:workspace_id/configuration-versions': {
    sets: [{ 'auto-queue-runs': false, speculative: true }, { provisional: true }],
    elsewhere: { 'vcs-ref': { why: 'its repository has to answer: test of commits that users ask for' } },
  },
  'POST /runs': {
    sets: [
      {
        'allow-config-generation': true,
        'allow-empty-apply': true,
        'auto-apply': true,
        'invoke-action-addrs': ['action.aws_lambda_invoke.a'],
        'is-destroy': true,
        message: 'Written',
        'plan-only': false,
        'policy-paths': ['policy'],
        refresh: false,
        'replace-addrs': ['aws_instance.a'],
        'target-addrs': ['aws_instance.b'],
        variables: [{ key: 'region', value: '"north"' }],
      },
      { 'refresh-only': true },
      { 'save-plan': true, 'plan-only': false },
      { 'plan-only': true, 'terraform-version': '1.5.7' },
    ],
  },
};
