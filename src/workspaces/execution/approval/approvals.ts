import type { Queries } from '../../../storage/index.ts';
import { type Actor, type PersonAccess, peopleAccess, RUNS, reaches, seesSecretTeams } from '../../tenancy/index.ts';
import { allows, type RunStatus } from '../lifecycle/status.ts';
import type { Approval } from './approval.ts';
import * as approvalStore from './approval-store.ts';
import { type ApprovalState, evaluate, type Person, type Requested, refusalToApprove } from './evaluation.ts';
import { requestersOfRuns } from './requester-store.ts';
import * as ruleStore from './rule-store.ts';
import { missingText, type SeesTeam } from './words.ts';

/** Fields of a run that decide about its approvals. */
export interface ApprovableRun extends Requested {
  readonly id: string;
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly status: RunStatus;
  /** An `assessment` needs no approvals, because it changes nothing. */
  readonly operation: string;
  readonly parameters: { readonly 'plan-only': boolean; readonly 'is-destroy': boolean };
}

/** Reader of approvals. */
export interface Viewer {
  /** The user; undefined for actors that are no person. */
  readonly user: { readonly id: string; readonly username: string } | undefined;
  /** Returns whether the reader may see a secret team. */
  seesSecret(organizationId: string, teamId: string): boolean;
}

/** Approvals of a run, as one reader sees them. */
export interface ViewedApprovals extends ApprovalState {
  /** Which approvals are missing, as sentences without the last full stop; undefined if none are. */
  readonly missing: string | undefined;
  /** Why an approval of the reader would have no effect now; undefined if it would. */
  readonly viewerRefusal: string | undefined;
  readonly sees: SeesTeam;
}

/** For texts that any user may read. */
const ANY_READER: Viewer = { user: undefined, seesSecret: () => false };

/** Returns the reader that an actor is. */
export function viewerOf(actor: Actor): Viewer {
  const grantOf = (organizationId: string) => actor.grants.get(organizationId);
  return {
    user: actor.kind === 'user' ? actor : undefined,
    seesSecret: (organizationId, teamId) => {
      const grant = grantOf(organizationId);
      return grant !== undefined && (seesSecretTeams(grant) || grant.teamIds.includes(teamId));
    },
  };
}

/** Number of approvals of a run, summed over the rules in force. */
export interface ApprovalCount {
  readonly required: number;
  readonly given: number;
}

/** Statuses between a confirmation and the start of the apply, in which approvals are checked again. */
const CONFIRMED: readonly RunStatus[] = [
  ...(['confirmed', 'queuing_apply', 'apply_queued', 'pre_apply_running', 'pre_apply_completed'] as const),
];

/** Why a request without a user cannot approve. */
const NO_PERSON =
  'Only a user can approve, with a session or their own token. Tokens of teams, organizations, machines and pipelines belong to no person';

/** Returns whether approvals decide about the run now: its plan is made, and its apply has not started. */
export function needsApprovals({ status, operation, parameters }: ApprovableRun): boolean {
  if (parameters['plan-only'] || operation === 'assessment') return false;
  return allows('apply', status) || CONFIRMED.includes(status);
}

/**
 * Returns the approvals of each run to which a rule applies, by run id. Costs one query if no workspace has rules.
 * All facts are the current ones: rules, members of teams, and access to the workspace.
 */
export async function approvalStates(
  db: Queries,
  runs: readonly ApprovableRun[],
  viewer: Viewer = ANY_READER,
): Promise<ReadonlyMap<string, ViewedApprovals>> {
  const open = runs.filter(needsApprovals);
  const inForce = await ruleStore.rulesInForce(db, [...new Set(open.map(({ workspaceId }) => workspaceId))]);
  const byWorkspace = Map.groupBy(inForce, ({ workspaceId }) => workspaceId);
  const ruled = open.flatMap((run) => {
    const found = (byWorkspace.get(run.workspaceId) ?? []).filter(({ rule }) => appliesTo(rule.operations, run));
    const [first] = found;
    return first === undefined ? [] : [{ run, projectId: first.projectId, rules: found.map(({ rule }) => rule) }];
  });
  if (ruled.length === 0) return new Map();
  const ids = ruled.map(({ run }) => run.id);
  const approvals = await approvalStore.approvalsOfRuns(db, ids);
  const requesters = await requestersOfRuns(db, ids);
  const byRun = Map.groupBy(approvals, ({ runId }) => runId);
  const access = await accessOfEach(db, ruled, approvals, viewer);
  return new Map(
    ruled.map(({ run: found, projectId, rules }) => {
      const run = { ...found, requesters: requesters.get(found.id) ?? [] };
      const own = byRun.get(run.id) ?? [];
      const target = { id: run.workspaceId, projectId };
      const named = [...own.map(({ userId, userName }) => ({ id: userId, name: userName })), ...userOf(viewer)];
      const people = new Map(
        named.flatMap(({ id, name }) => {
          const found = access.get(run.organizationId)?.get(id);
          return found === undefined ? [] : [[id, personOf(id, name, found, target)] as const];
        }),
      );
      const state = evaluate(run, rules, own, people);
      const { user } = viewer;
      const viewerRefusal = user === undefined ? NO_PERSON : refusalToApprove(run, state, people.get(user.id), user.id);
      const sees: SeesTeam = ({ id, secret }) => !secret || viewer.seesSecret(run.organizationId, id);
      return [run.id, { ...state, viewerRefusal, sees, missing: missingText(state, sees) }];
    }),
  );
}

/** Returns the approvals of one run; undefined if no rule applies to it. */
export async function approvalState(
  db: Queries,
  run: ApprovableRun,
  viewer: Viewer = ANY_READER,
): Promise<ViewedApprovals | undefined> {
  return (await approvalStates(db, [run], viewer)).get(run.id);
}

/** Returns which approvals a run still needs, as sentences without the last full stop; undefined if it needs none. */
export async function missingApprovals(db: Queries, run: ApprovableRun): Promise<string | undefined> {
  return (await approvalState(db, run))?.missing;
}

function appliesTo(operations: string, { parameters }: ApprovableRun): boolean {
  return operations === 'all' || parameters['is-destroy'];
}

const userOf = ({ user }: Viewer) => (user === undefined ? [] : [{ id: user.id, name: user.username }]);

interface RuledRun {
  readonly run: ApprovableRun;
  readonly projectId: string;
}

/** Reads the access of all approvers, by organization and user. */
async function accessOfEach(
  db: Queries,
  ruled: readonly RuledRun[],
  approvals: readonly Approval[],
  viewer: Viewer,
): Promise<ReadonlyMap<string, ReadonlyMap<string, PersonAccess>>> {
  const users = [...new Set([...approvals.map(({ userId }) => userId), ...userOf(viewer).map(({ id }) => id)])];
  const found = new Map<string, ReadonlyMap<string, PersonAccess>>();
  for (const [organizationId, some] of Map.groupBy(ruled, ({ run }) => run.organizationId)) {
    const targets = some.map(({ run, projectId }) => ({ id: run.workspaceId, projectId }));
    found.set(organizationId, await peopleAccess(db, users, organizationId, targets));
  }
  return found;
}

function personOf(
  id: string,
  name: string,
  access: PersonAccess,
  target: { readonly id: string; readonly projectId: string },
): Person {
  const { runs } = access.accessTo(target);
  return { id, name, teamIds: access.teamIds, mayApply: reaches(RUNS, runs, 'apply') };
}
