import { Type } from 'typebox';
import { nullable, nullableEnum } from '../../jsonapi/schema.ts';
import * as is from '../../openapi/resource.ts';

const Check = Type.Object({
  question: is.text,
  'question-text': is.text,
  passes: is.flag,
  code: is.text,
  text: is.text,
});
const Verdict = Type.Object({
  outcome: Type.Enum(['run', 'speculative', 'skipped']),
  code: is.text,
  text: is.text,
  'without-secrets': is.flag,
  checks: Type.Array(Check),
});

/** Schemas of events, repositories and deliveries, by resource type. */
export const ACTIVITY_RESOURCES = {
  'vcs-events': is.resource(
    'vcs-events',
    {
      'created-at': is.text,
      level: Type.Enum(['info', 'error']),
      message: is.text,
      'organization-id': is.text,
      'suggested-action': is.textOrNull,
      kind: Type.Enum(['push', 'tag', 'pull']),
      state: Type.Enum(['waiting', 'done', 'failed']),
      ref: is.text,
      'before-sha': is.textOrNull,
      'after-sha': is.textOrNull,
      'repository-identifier': is.text,
      'sender-name': is.textOrNull,
      'compare-url': is.textOrNull,
      'pull-request-number': is.integerOrNull,
      'run-count': is.integer,
      'verdict-count': is.integer,
      verdict: Type.Optional(Verdict),
    },
    {
      'oauth-client': is.toOne('oauth-clients'),
      'oauth-token': is.toOne('oauth-tokens'),
      'vcs-repository': is.toOne('vcs-repositories'),
      run: Type.Optional(is.toOne('runs')),
    },
  ),
  'vcs-repositories': is.resource(
    'vcs-repositories',
    {
      identifier: is.text,
      'display-identifier': is.text,
      'http-url': is.text,
      'default-branch': is.textOrNull,
      health: Type.Enum(['ok', 'gone', 'forbidden', 'unreachable']),
      'health-reason': is.textOrNull,
      'health-since': is.time,
      'looked-up-at': is.timeOrNull,
      'webhook-state': Type.Enum(['none', 'wanted', 'made', 'manual', 'removed']),
      'webhook-problem': is.textOrNull,
      'webhook-url': is.textOrNull,
      'webhook-by-hand': is.flag,
      'webhook-secret': nullable(is.text),
      'last-delivery-at': is.timeOrNull,
      'workspace-count': is.integer,
    },
    {
      'oauth-token': is.toOne('oauth-tokens'),
      'github-app-installation': is.toOne('github-app-installations'),
      deliveries: is.linkOnly,
    },
  ),
  'vcs-links': is.resource(
    'vcs-links',
    {
      state: Type.Enum(['waiting', 'linked', 'problem']),
      problem: is.textOrNull,
      'display-identifier': is.textOrNull,
      'http-url': is.textOrNull,
      'default-branch': is.textOrNull,
      health: nullableEnum(['ok', 'gone', 'forbidden', 'unreachable']),
      'health-reason': is.textOrNull,
      'health-since': is.timeOrNull,
      'looked-up-at': is.timeOrNull,
      'next-look-up-at': is.timeOrNull,
      'webhook-state': Type.Enum(['none', 'wanted', 'made', 'manual', 'removed']),
      'webhook-problem': is.textOrNull,
      'webhook-url': is.textOrNull,
      'last-delivery-at': is.timeOrNull,
    },
    { workspace: is.toOne('workspaces'), 'vcs-repository': is.toOne('vcs-repositories') },
  ),
  'vcs-verdicts': is.resource(
    'vcs-verdicts',
    {
      'workspace-name': is.text,
      ...Verdict.properties,
      'plan-progress': nullableEnum(['waiting', 'running', 'changes', 'unchanged', 'failed', 'canceled']),
      'apply-progress': nullableEnum(['none', 'confirmation', 'running', 'applied', 'failed', 'canceled', 'discarded']),
      'resource-additions': is.integerOrNull,
      'resource-changes': is.integerOrNull,
      'resource-destructions': is.integerOrNull,
      'can-approve': is.flag,
    },
    { workspace: is.toOne('workspaces'), run: is.toOne('runs') },
  ),
  'vcs-deliveries': is.resource('vcs-deliveries', {
    'delivery-id': is.text,
    'received-at': is.time,
    outcome: is.text,
    hints: is.texts,
  }),
};
