import { isoTime } from '../../../lib/clock.ts';
import { type Identifier, linked, type Relationship, type Resource, toOne } from '../../jsonapi/document.ts';
import type { ViewedApprovals } from '../approval/approvals.ts';
import { engineWarning, usedEngine } from '../lifecycle/engine.ts';
import type { Phase } from '../lifecycle/phase.ts';
import { allows, startsPhase } from '../lifecycle/status.ts';
import { isForceCancelable } from './actions.ts';
import { canApprove, isConfirmable } from './approval/effects.ts';
import { approvalSummary } from './approval/resource.ts';
import type { RunView } from './finder.ts';
import type { Pointers, RunComment, RunEvent } from './history/event-store.ts';
import { CANCEL_GRACE, type RunVariable } from './run.ts';

/** Related data of one run document. */
export interface RunContext {
  readonly phases: readonly Phase[];
  readonly pointers: Pointers;
  /** Stages at which run tasks evaluate the run. */
  readonly stages: readonly Identifier[];
  /** Variables of the run; null if there are none, or the actor may not read variables. */
  readonly variables: readonly RunVariable[] | null;
  readonly names: Names;
  /** Reason why the run waits; null if it does not wait. */
  readonly waitingFor: string | null;
  /** Approvals of a run that needs them, with the part of the reader. */
  readonly approvals: ViewedApprovals | undefined;
  readonly now: number;
}

/** Names of users, teams and agents by their ids. */
type Names = ReadonlyMap<string, string>;

const nameIn = (names: Names, who: { readonly id: string } | null): string | null =>
  who === null ? null : (names.get(who.id) ?? null);

/**
 * Returns the JSON:API resource of a run. Creating, reading and listing runs return the same document.
 */
export function runResource(
  run: RunView,
  { phases, pointers, stages, variables, names, waitingFor, approvals, now }: RunContext,
): Resource {
  const { status, permissions, canceledAt } = run;
  const {
    'engine-pinned': _pinned,
    'engine-constraint': _constraint,
    'engine-wanted': _wanted,
    ...shown
  } = run.parameters;
  const { engine = null, client = null, ...parameters } = shown;
  const phaseId = (kind: string) => phases.find((phase) => phase.kind === kind)?.id ?? null;
  return {
    id: run.id,
    type: 'runs',
    attributes: {
      ...parameters,
      client,
      engine,
      'engine-used': usedEngine(run.parameters),
      'engine-warning': engineWarning(run.parameters),
      actions: {
        'is-cancelable': allows('cancel', status) && canceledAt === null,
        'is-confirmable': isConfirmable(run, approvals),
        'is-discardable': allows('discard', status),
        'is-force-cancelable': isForceCancelable(run, now),
      },
      approvals: approvalSummary(run, approvals),
      'agent-name': run.agentId === null ? null : nameIn(names, { id: run.agentId }),
      'canceled-at': canceledAt === null ? null : isoTime(canceledAt),
      'confirmed-by-name': nameIn(names, run.confirmedBy),
      'created-at': isoTime(run.createdAt),
      // A machine is shown by the name on its certificate, not by its team.
      'created-by-name': run.createdByName || nameIn(names, run.createdBy),
      'force-cancel-available-at': canceledAt === null ? null : isoTime(canceledAt + CANCEL_GRACE),
      'has-changes': run.hasChanges,
      message: run.message,
      permissions: {
        'can-apply': permissions.apply,
        'can-approve': canApprove(run, approvals),
        'can-cancel': permissions.cancel,
        'can-comment': permissions.comment,
        'can-discard': permissions.apply,
        'can-force-cancel': permissions.forceCancel,
        'can-force-execute': permissions.apply,
        'can-override-policy-check': false,
      },
      'position-in-queue': run.position,
      source: run.source,
      status,
      'status-timestamps': timesOf(run.timestamps),
      'trigger-reason': run.triggerReason,
      untrusted: run.untrusted,
      variables,
      'waiting-for': waitingFor,
      // Set by a sweep after a time in which on-demand agents start; a run that waits for its workspace has another reason.
      'without-agent': run.waitingFor !== null && !run.awaitsWorkspace && startsPhase(run.status),
    },
    relationships: {
      apply: related('applies', phaseId('apply')),
      comments: { ...pointAt('comments', pointers.comments), ...linked(`/api/v2/runs/${run.id}/comments`) },
      'configuration-version': related('configuration-versions', run.configurationVersionId),
      'confirmed-by': person(run.confirmedBy),
      'confirmed-by-team': team(run.confirmedBy),
      'cost-estimate': { data: null },
      'created-by': person(run.createdBy),
      'created-by-team': team(run.createdBy),
      plan: related('plans', phaseId('plan')),
      'policy-checks': { data: [] },
      'run-events': { ...pointAt('run-events', pointers.events), ...linked(`/api/v2/runs/${run.id}/run-events`) },
      'task-stages': pointAt(
        'task-stages',
        stages.map(({ id }) => id),
      ),
      workspace: toOne('workspaces', run.workspaceId),
    },
    links: { self: `/api/v2/runs/${run.id}` },
  };
}

/** Related data of one phase document. */
export interface PhaseContext {
  readonly hasChanges: boolean;
  /** Whether the plan may have generated configuration. `tofu` and `terraform` then look for it in the plan. */
  readonly hasGenerated: boolean;
  /** Signed URL that gives access to the log. */
  readonly logUrl: string;
}

/** Returns the JSON:API resource of a plan or an apply. */
export function phaseResource(phase: Phase, { hasChanges, hasGenerated, logUrl }: PhaseContext): Resource {
  const plans = phase.kind === 'plan';
  const type = plans ? 'plans' : 'applies';
  return {
    id: phase.id,
    type,
    attributes: {
      ...(plans && { 'has-changes': hasChanges, 'generated-configuration': hasGenerated }),
      'log-read-url': logUrl,
      'resource-additions': phase.additions,
      'resource-changes': phase.changes,
      'resource-destructions': phase.destructions,
      'resource-imports': phase.imports,
      status: phase.status,
      'status-timestamps': timesOf(phase.timestamps),
      'log-bytes': phase.logBytes,
    },
    relationships: { ...(plans && { exports: { data: [] } }), run: toOne('runs', phase.runId) },
    links: { self: `/api/v2/${type}/${phase.id}` },
  };
}

/** Returns the JSON:API resource of a run event. */
export function eventResource(event: RunEvent, names: Names): Resource {
  return {
    id: event.id,
    type: 'run-events',
    attributes: {
      action: event.action,
      'actor-name': nameIn(names, event.actor),
      'created-at': isoTime(event.createdAt),
      description: event.description,
    },
    relationships: {
      actor: person(event.actor),
      'actor-team': team(event.actor),
      comment: toOne('comments', event.commentId),
      run: toOne('runs', event.runId),
    },
    links: { self: `/api/v2/run-events/${event.id}` },
  };
}

/** Returns the JSON:API resource of a comment. */
export function commentResource(comment: RunComment): Resource {
  return {
    id: comment.id,
    type: 'comments',
    attributes: { body: comment.body, 'created-at': isoTime(comment.createdAt) },
    relationships: {
      author: person(comment.createdBy),
      'author-team': team(comment.createdBy),
      run: toOne('runs', comment.runId),
    },
    links: { self: `/api/v2/comments/${comment.id}` },
  };
}

/** `plan_queued` in the model is `plan-queued-at` on the wire. */
function timesOf(timestamps: Readonly<Record<string, number>>): Record<string, string> {
  const entries = Object.entries(timestamps).map(([name, time]) => [`${name.replaceAll('_', '-')}-at`, isoTime(time)]);
  return Object.fromEntries(entries);
}

function related(type: string, id: string | null): Relationship {
  return id === null ? toOne(type, id) : { ...toOne(type, id), ...linked(`/api/v2/${type}/${id}`) };
}

function pointAt(type: string, ids: readonly string[]): Relationship {
  return { data: ids.map((id) => ({ type, id })) };
}

/** Official clients expect the type `users` here, so a team is in a relationship of its own. */
function person(who: Identifier | null): Relationship {
  return related('users', who?.type === 'users' ? who.id : null);
}

function team(who: Identifier | null): Relationship {
  return related('teams', who?.type === 'teams' ? who.id : null);
}
