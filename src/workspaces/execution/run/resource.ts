import { type Static, Type } from 'typebox';
import { isoTime } from '../../../lib/clock.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import { nullable, nullableEnum, text, typed } from '../../jsonapi/schema.ts';
import {
  attribute,
  is,
  linkedToMany,
  linkedToOne,
  relationship,
  resourceOf,
  statusTimes,
  time,
  timeOrNull,
  toMany,
  toOne,
} from '../../resource/index.ts';
import { ENGINES } from '../../tenancy/index.ts';
import type { ViewedApprovals } from '../approval/approvals.ts';
import { engineWarning, usedEngine } from '../lifecycle/engine.ts';
import { PHASE_STATUSES, type Phase, type PhaseKind } from '../lifecycle/phase.ts';
import { allows, RUN_STATUSES, startsPhase } from '../lifecycle/status.ts';
import { isForceCancelable } from './actions.ts';
import { canApprove, isConfirmable } from './approval/effects.ts';
import { approvalSummary, shownApprovals } from './approval/resource.ts';
import type { RunView } from './finder.ts';
import type { Pointers, RunComment, RunEvent } from './history/event-store.ts';
import { CANCEL_GRACE, type RunCapacity, type RunVariable } from './run.ts';

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

const flag = { create: Type.Optional(nullable(Type.Boolean())) };
const addresses = { create: Type.Optional(nullable(Type.Array(text(1024), { maxItems: 200 }))) };
/**
 * Addresses of actions. They become arguments of the engine, so control characters and a leading `-` are refused.
 */
const actions = {
  create: Type.Optional(
    nullable(
      Type.Array(Type.String({ minLength: 1, maxLength: 1024, pattern: '^[^-\\s\\p{Cc}][^\\p{Cc}]*$' }), {
        maxItems: 200,
      }),
    ),
  ),
};
const writtenVariable = Type.Object({ key: text(128), value: text(262_144) });
const shownVariable = Type.Object({ key: is.text, value: is.text });

/** A run. Creating, reading and listing runs return the same document. */
export const RunResource = resourceOf<RunView, [RunContext]>()('runs', {
  attributes: {
    'allow-config-generation': attribute(is.flag, ({ parameters }) => parameters['allow-config-generation'], flag),
    'allow-empty-apply': attribute(is.flag, ({ parameters }) => parameters['allow-empty-apply'], flag),
    'auto-apply': attribute(is.flag, ({ parameters }) => parameters['auto-apply'], flag),
    'invoke-action-addrs': attribute(is.textsOrNull, ({ parameters }) => parameters['invoke-action-addrs'], actions),
    'is-destroy': attribute(is.flag, ({ parameters }) => parameters['is-destroy'], flag),
    'plan-only': attribute(is.flag, ({ parameters }) => parameters['plan-only'], flag),
    'policy-paths': attribute(is.textsOrNull, ({ parameters }) => parameters['policy-paths'], addresses),
    refresh: attribute(is.flag, ({ parameters }) => parameters.refresh, flag),
    'refresh-only': attribute(is.flag, ({ parameters }) => parameters['refresh-only'], flag),
    'replace-addrs': attribute(is.textsOrNull, ({ parameters }) => parameters['replace-addrs'], addresses),
    'save-plan': attribute(is.flag, ({ parameters }) => parameters['save-plan'], flag),
    'target-addrs': attribute(is.textsOrNull, ({ parameters }) => parameters['target-addrs'], addresses),
    'terraform-version': attribute(is.text, ({ parameters }) => parameters['terraform-version'], {
      create: Type.Optional(nullable(text(100))),
    }),
    // Program that requested the run.
    client: attribute(is.textOrNull, ({ parameters }) => parameters.client ?? null),
    engine: attribute(nullableEnum(ENGINES), ({ parameters }) => parameters.engine ?? null),
    'engine-used': attribute(is.textOrNull, ({ parameters }) => usedEngine(parameters)),
    'engine-warning': attribute(is.textOrNull, ({ parameters }) => engineWarning(parameters)),
    actions: attribute(
      is.flags(['is-cancelable', 'is-confirmable', 'is-discardable', 'is-force-cancelable']),
      (run, { approvals, now }) => ({
        'is-cancelable': allows('cancel', run.status) && run.canceledAt === null,
        'is-confirmable': isConfirmable(run, approvals),
        'is-discardable': allows('discard', run.status),
        'is-force-cancelable': isForceCancelable(run, now),
      }),
    ),
    approvals: attribute(shownApprovals, (run, { approvals }) => approvalSummary(run, approvals)),
    'agent-name': attribute(is.textOrNull, ({ agentId }, { names }) =>
      agentId === null ? null : (names.get(agentId) ?? null),
    ),
    'canceled-at': timeOrNull('canceledAt'),
    'confirmed-by-name': attribute(is.textOrNull, ({ confirmedBy }, { names }) => nameIn(names, confirmedBy)),
    'created-at': time('createdAt'),
    // A machine is shown by the name on its certificate, not by its team.
    'created-by-name': attribute(
      is.textOrNull,
      ({ createdBy, createdByName }, { names }) => createdByName || nameIn(names, createdBy),
    ),
    'force-cancel-available-at': attribute(is.timeOrNull, ({ canceledAt }) =>
      canceledAt === null ? null : isoTime(canceledAt + CANCEL_GRACE),
    ),
    'has-changes': attribute(is.flag, 'hasChanges'),
    message: attribute(is.text, 'message', { create: Type.Optional(nullable(text(16_384))) }),
    permissions: attribute(
      is.flags([
        ...['can-apply', 'can-approve', 'can-cancel', 'can-comment', 'can-discard', 'can-force-cancel'],
        ...['can-force-execute', 'can-override-policy-check'],
      ]),
      (run, { approvals }) => ({
        'can-apply': run.permissions.apply,
        'can-approve': canApprove(run, approvals),
        'can-cancel': run.permissions.cancel,
        'can-comment': run.permissions.comment,
        'can-discard': run.permissions.apply,
        'can-force-cancel': run.permissions.forceCancel,
        'can-force-execute': run.permissions.apply,
        'can-override-policy-check': false,
      }),
    ),
    'position-in-queue': attribute(is.integer, 'position'),
    source: attribute(is.text, 'source'),
    status: attribute(Type.Enum([...RUN_STATUSES]), 'status'),
    'status-timestamps': attribute(is.times, ({ timestamps }) => statusTimes(timestamps)),
    'trigger-reason': attribute(is.text, 'triggerReason'),
    // Whether strangers wrote the configuration, so that the run gets no secrets.
    untrusted: attribute(is.flag, 'untrusted'),
    variables: attribute(nullable(Type.Array(shownVariable)), (_run, { variables }) => variables, {
      create: Type.Optional(nullable(Type.Array(writtenVariable, { maxItems: 200 }))),
    }),
    'waiting-for': attribute(is.textOrNull, (_run, { waitingFor }) => waitingFor),
    // Set by a sweep after a time in which on-demand agents start; a run that waits for its workspace has another reason.
    'without-agent': attribute(
      is.flag,
      (run) => run.waitingFor !== null && !run.awaitsWorkspace && startsPhase(run.status),
    ),
  },
  relationships: {
    apply: linkedToOne('applies', (_run, { phases }) => phaseId(phases, 'apply')),
    comments: linkedToMany(
      'comments',
      (_run, { pointers }) => pointers.comments,
      ({ id }) => `/api/v2/runs/${id}/comments`,
    ),
    'configuration-version': linkedToOne('configuration-versions', 'configurationVersionId'),
    'confirmed-by': person(({ confirmedBy }) => confirmedBy),
    'confirmed-by-team': team(({ confirmedBy }) => confirmedBy),
    'cost-estimate': relationship(is.toOne(), () => ({ data: null })),
    'created-by': person(({ createdBy }) => createdBy),
    'created-by-team': team(({ createdBy }) => createdBy),
    plan: linkedToOne('plans', (_run, { phases }) => phaseId(phases, 'plan')),
    'policy-checks': toMany('policy-checks', () => []),
    'run-events': linkedToMany(
      'run-events',
      (_run, { pointers }) => pointers.events,
      ({ id }) => `/api/v2/runs/${id}/run-events`,
    ),
    'task-stages': toMany('task-stages', (_run, { stages }) => stages.map(({ id }) => id)),
    workspace: toOne('workspaces', 'workspaceId'),
  },
  links: ({ id }) => ({ self: `/api/v2/runs/${id}` }),
});

const one = Type.Object({ id: text(100) });

/** Body of a new run. */
export const CreateRun = Type.Object({
  data: Type.Object({
    type: typed('runs'),
    attributes: Type.Optional(RunResource.create),
    relationships: Type.Object({
      workspace: Type.Object({ data: one }),
      'configuration-version': Type.Optional(Type.Object({ data: nullable(one) })),
    }),
  }),
});
/** `data` of a create request. */
export type CreateRunInput = Static<typeof CreateRun>['data'];

/** The numbers of runs of an organization that agents execute, and that wait for an agent. Its id is the name. */
export const CapacityResource = resourceOf<RunCapacity & { readonly id: string }>()('organization-capacity', {
  attributes: { pending: attribute(is.integer, 'pending'), running: attribute(is.integer, 'running') },
});

/** Related data of one phase document. */
export interface PhaseContext {
  readonly hasChanges: boolean;
  /** Whether the plan may have generated configuration. `tofu` and `terraform` then look for it in the plan. */
  readonly hasGenerated: boolean;
  /** Signed URL that gives access to the log. */
  readonly logUrl: string;
}

/** Attributes that plans and applies have. */
const ofPhase = {
  'log-read-url': attribute(is.text, (_phase: Phase, { logUrl }: PhaseContext) => logUrl),
  'resource-additions': attribute(is.integer, ({ additions }: Phase) => additions),
  'resource-changes': attribute(is.integer, ({ changes }: Phase) => changes),
  'resource-destructions': attribute(is.integer, ({ destructions }: Phase) => destructions),
  'resource-imports': attribute(is.integer, ({ imports }: Phase) => imports),
  status: attribute(Type.Enum([...PHASE_STATUSES]), ({ status }: Phase) => status),
  'status-timestamps': attribute(is.times, ({ timestamps }: Phase) => statusTimes(timestamps)),
  'log-bytes': attribute(is.integer, ({ logBytes }: Phase) => logBytes),
};

/** The plan of a run. */
export const PlanResource = resourceOf<Phase, [PhaseContext]>()('plans', {
  attributes: {
    'has-changes': attribute(is.flag, (_plan, { hasChanges }) => hasChanges),
    'generated-configuration': attribute(is.flag, (_plan, { hasGenerated }) => hasGenerated),
    ...ofPhase,
  },
  relationships: { exports: toMany('plan-exports', () => []), run: toOne('runs', 'runId') },
  links: ({ id }) => ({ self: `/api/v2/plans/${id}` }),
});

/** The apply of a run. */
export const ApplyResource = resourceOf<Phase, [PhaseContext]>()('applies', {
  attributes: ofPhase,
  relationships: { run: toOne('runs', 'runId') },
  links: ({ id }) => ({ self: `/api/v2/applies/${id}` }),
});

/** The resources of phases. */
export const PHASE_RESOURCES = { plan: PlanResource, apply: ApplyResource } as const;

/** An event in the history of a run. */
export const RunEventResource = resourceOf<RunEvent, [Names]>()('run-events', {
  attributes: {
    action: attribute(is.text, 'action'),
    'actor-name': attribute(is.textOrNull, ({ actor }, names) => nameIn(names, actor)),
    'created-at': time('createdAt'),
    description: attribute(is.textOrNull, 'description'),
  },
  relationships: {
    actor: person(({ actor }) => actor),
    'actor-team': team(({ actor }) => actor),
    comment: toOne('comments', 'commentId'),
    run: toOne('runs', 'runId'),
  },
  links: ({ id }) => ({ self: `/api/v2/run-events/${id}` }),
});

/** A comment on a run. */
export const CommentResource = resourceOf<RunComment>()('comments', {
  attributes: {
    body: attribute(is.text, 'body', {
      create: Type.String({ minLength: 1, maxLength: 10_000, pattern: '^[^\\u0000]*$' }),
    }),
    'created-at': time('createdAt'),
  },
  relationships: {
    author: person(({ createdBy }) => createdBy),
    'author-team': team(({ createdBy }) => createdBy),
    run: toOne('runs', 'runId'),
  },
  links: ({ id }) => ({ self: `/api/v2/comments/${id}` }),
});

function nameIn(names: Names, who: Identifier | null): string | null {
  return who === null ? null : (names.get(who.id) ?? null);
}

function phaseId(phases: readonly Phase[], kind: PhaseKind): string | null {
  return phases.find((phase) => phase.kind === kind)?.id ?? null;
}

/** Declares a relationship to a user. Official clients expect the type `users`, so a team has its own relationship. */
function person<Model>(who: (model: Model) => Identifier | null) {
  return ofType('users', who);
}

/** Declares a relationship to a team. */
function team<Model>(who: (model: Model) => Identifier | null) {
  return ofType('teams', who);
}

function ofType<Model>(type: 'users' | 'teams', who: (model: Model) => Identifier | null) {
  return linkedToOne<Model, []>(type, (model) => {
    const found = who(model);
    return found?.type === type ? found.id : null;
  });
}
