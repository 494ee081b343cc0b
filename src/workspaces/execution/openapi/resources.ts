import { type TProperties, Type } from 'typebox';
import { nullable, nullableEnum } from '../../jsonapi/schema.ts';
import * as is from '../../openapi/resource.ts';
import { ENGINES } from '../../tenancy/index.ts';
import { RUN_STATUSES } from '../lifecycle/status.ts';
import { shownApprovals } from '../run/approval/resource.ts';
import { EXPLORER_RESOURCES } from './explorer.ts';
import { JOB_RESOURCES } from './jobs.ts';

function phase(type: string, attributes: TProperties, relationships: TProperties) {
  const counts = ['resource-additions', 'resource-changes', 'resource-destructions', 'resource-imports'];
  return is.resource(
    type,
    {
      ...attributes,
      'log-read-url': is.text,
      ...Object.fromEntries(counts.map((name) => [name, is.integer])),
      status: Type.Enum(['pending', 'queued', 'running', 'finished', 'errored', 'canceled', 'unreachable']),
      'status-timestamps': is.times,
      'log-bytes': is.integer,
    },
    { ...relationships, run: is.toOne('runs') },
  );
}

const runs = is.resource(
  'runs',
  {
    ...is.flags([
      ...['allow-config-generation', 'allow-empty-apply', 'auto-apply', 'has-changes', 'is-destroy', 'plan-only'],
      ...['refresh', 'refresh-only', 'save-plan'],
    ]).properties,
    approvals: shownApprovals,
    actions: is.flags(['is-cancelable', 'is-confirmable', 'is-discardable', 'is-force-cancelable']),
    'agent-name': is.textOrNull,
    'canceled-at': is.timeOrNull,
    'confirmed-by-name': is.textOrNull,
    'created-at': is.time,
    'created-by-name': is.textOrNull,
    engine: nullableEnum(ENGINES),
    'force-cancel-available-at': is.timeOrNull,
    'invoke-action-addrs': is.textsOrNull,
    message: is.text,
    permissions: is.flags([
      ...[
        'can-apply',
        'can-approve',
        'can-cancel',
        'can-comment',
        'can-discard',
        'can-force-cancel',
        'can-force-execute',
      ],
      'can-override-policy-check',
    ]),
    'policy-paths': is.textsOrNull,
    'position-in-queue': is.integer,
    'waiting-for': is.textOrNull,
    'replace-addrs': is.textsOrNull,
    source: is.text,
    status: Type.Enum([...RUN_STATUSES]),
    'status-timestamps': is.times,
    'target-addrs': is.textsOrNull,
    'terraform-version': is.text,
    'trigger-reason': is.text,
    // Program that requested the run.
    client: is.textOrNull,
    'engine-used': is.textOrNull,
    'engine-warning': is.textOrNull,
    'without-agent': is.flag,
    // Whether strangers wrote the configuration, so that the run gets no secrets.
    untrusted: is.flag,
    variables: nullable(Type.Array(Type.Object({ key: is.text, value: is.text }))),
  },
  {
    apply: is.toOne('applies'),
    comments: is.toMany('comments'),
    'configuration-version': is.toOne('configuration-versions'),
    'confirmed-by': is.toOne('users'),
    'confirmed-by-team': is.toOne('teams'),
    'cost-estimate': is.toOne(),
    'created-by': is.toOne('users'),
    'created-by-team': is.toOne('teams'),
    plan: is.toOne('plans'),
    'policy-checks': is.toMany('policy-checks'),
    'run-events': is.toMany('run-events'),
    'task-stages': is.toMany('task-stages'),
    workspace: is.toOne('workspaces'),
  },
);

/** Resources of runs, configuration versions, and agents, by type. */
export const EXECUTION_RESOURCES = {
  runs,
  plans: phase(
    'plans',
    { 'has-changes': is.flag, 'generated-configuration': is.flag },
    { exports: is.toMany('plan-exports') },
  ),
  applies: phase('applies', {}, {}),
  'run-events': is.resource(
    'run-events',
    { action: is.text, 'actor-name': is.textOrNull, 'created-at': is.time, description: is.textOrNull },
    { actor: is.toOne('users'), 'actor-team': is.toOne('teams'), comment: is.toOne('comments'), run: is.toOne('runs') },
  ),
  comments: is.resource(
    'comments',
    { body: is.text, 'created-at': is.time },
    { author: is.toOne('users'), 'author-team': is.toOne('teams'), run: is.toOne('runs') },
  ),
  ...EXPLORER_RESOURCES,
  ...JOB_RESOURCES,
};
