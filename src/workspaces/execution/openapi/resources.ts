import { type TProperties, Type } from 'typebox';
import { nullable, nullableEnum } from '../../jsonapi/schema.ts';
import * as is from '../../openapi/resource.ts';
import { ENGINES } from '../../tenancy/index.ts';
import { RUN_STATUSES } from '../lifecycle/status.ts';
import { DESTINATION_TYPES, STORED_TRIGGERS, TRIGGERS } from '../notification/notification.ts';
import { APPROVAL_RESOURCES, APPROVALS_OF_RUN } from './approvals.ts';
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
    approvals: APPROVALS_OF_RUN,
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
  'notification-configurations': is.resource(
    'notification-configurations',
    {
      'created-at': is.time,
      'delivery-responses': Type.Array(
        Type.Object({
          body: is.text,
          code: is.text,
          headers: is.mapOf(is.texts),
          'sent-at': is.time,
          successful: Type.Enum(['true', 'false']),
          url: is.text,
        }),
      ),
      'destination-type': Type.Enum([...DESTINATION_TYPES]),
      // Digest and notice are not in HCP Terraform.
      digest: Type.Union([
        Type.Object({ hour: is.integer, 'time-zone': is.text, 'waiting-hours': is.integer }),
        Type.Null(),
      ]),
      'digest-at': is.timeOrNull,
      'email-addresses': is.texts,
      enabled: is.flag,
      name: is.text,
      notice: is.textOrNull,
      // The token is write-only.
      token: Type.Null(),
      triggers: Type.Array(Type.Enum([...TRIGGERS, ...STORED_TRIGGERS])),
      'updated-at': is.time,
      // Null for emails.
      url: is.textOrNull,
    },
    { subscribable: is.toOne('workspaces', 'projects', 'teams', 'organizations'), users: is.toMany('users') },
  ),
  'configuration-versions': is.resource(
    'configuration-versions',
    {
      'auto-queue-runs': is.flag,
      'created-at': is.time,
      error: is.textOrNull,
      'error-message': is.textOrNull,
      provisional: is.flag,
      size: is.integer,
      source: is.text,
      speculative: is.flag,
      status: Type.Enum(['pending', 'fetching', 'uploaded', 'archived', 'errored']),
      'status-timestamps': is.times,
      // Present only in the response that creates the token.
      'upload-url': is.textOrNull,
    },
    // The run is present only if it is included.
    { 'ingress-attributes': is.toOne('ingress-attributes'), run: Type.Optional(is.toOne('runs')) },
  ),
  'ingress-attributes': is.resource(
    'ingress-attributes',
    {
      branch: is.textOrNull,
      'clone-url': is.text,
      'commit-message': is.text,
      'commit-sha': is.text,
      'commit-url': is.textOrNull,
      'compare-url': is.textOrNull,
      identifier: is.text,
      'is-pull-request': is.flag,
      'on-default-branch': is.flag,
      'pull-request-body': is.textOrNull,
      'pull-request-number': is.integerOrNull,
      'pull-request-title': is.textOrNull,
      'pull-request-url': is.textOrNull,
      'sender-avatar-url': is.textOrNull,
      'sender-html-url': is.textOrNull,
      'sender-username': is.textOrNull,
      tag: is.textOrNull,
    },
    { 'created-by': is.toOne('users') },
  ),
  ...EXPLORER_RESOURCES,
  ...APPROVAL_RESOURCES,
  ...JOB_RESOURCES,
};
