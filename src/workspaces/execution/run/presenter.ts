import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../storage/index.ts';
import type { Resource } from '../../jsonapi/document.ts';
import { parseInclude } from '../../jsonapi/include.ts';
import { type Actor, type Users, userResource } from '../../tenancy/index.ts';
import type { WorkspacePresenter } from '../../workspace/index.ts';
import { approvalStates, viewerOf } from '../approval/approvals.ts';
import type { ConfigurationVersion } from '../configuration-version/configuration-version.ts';
import type { Ingresses } from '../configuration-version/ingress.ts';
import { ConfigurationVersionResource } from '../configuration-version/resource.ts';
import { isPhaseOver, type Phase, type PhaseKind } from '../lifecycle/phase.ts';
import { awaitedApprovals } from './approval/effects.ts';
import type { RunView } from './finder.ts';
import type { RunComments } from './history/comments.ts';
import type { RunPhases } from './phases.ts';
import { PHASE_RESOURCES, RunResource } from './resource.ts';
import type { RunStart } from './start.ts';
import type { WaitReasons } from './waiting/wait-reasons.ts';

/**
 * Accepted values of `include`. Cost estimates and policies are accepted, but nothing is included for them.
 */
const INCLUDES = [
  'apply',
  'configuration_version',
  'configuration_version.ingress_attributes',
  'confirmed_by',
  'cost_estimate',
  'created_by',
  'plan',
  'task_stages',
  'tf_policy_evaluations',
  'workspace',
] as const;
/** Related resources that a client requests with `include`. */
export type RunIncludes = ReadonlySet<(typeof INCLUDES)[number]>;

/**
 * Parses `include`.
 * @throws 400 for an unknown word
 */
export function parseRunInclude(include: string | undefined): RunIncludes {
  return parseInclude(include, INCLUDES);
}

/** Source of the stages at which run tasks evaluate runs. */
export interface StagesShown {
  /** Returns the stages by run id, for runs that have any. */
  ofRuns(runIds: readonly string[]): Promise<ReadonlyMap<string, readonly Resource[]>>;
}

/** Source of the stored outputs of a plan. */
export interface OutputsShown {
  has(kind: 'json-output-redacted', planId: string): Promise<boolean>;
}

/** Dependencies of `RunPresenter`. */
export interface RunPresenterOptions {
  readonly clock: Clock;
  readonly database: Database;
  readonly waitReasons: WaitReasons;
  readonly phases: RunPhases;
  readonly outputs: OutputsShown;
  readonly comments: RunComments;
  readonly start: RunStart;
  readonly users: Users;
  readonly workspaces: WorkspacePresenter;
  readonly stages: StagesShown;
  readonly configurations: { named(ids: readonly string[]): Promise<ConfigurationVersion[]> };
  readonly ingresses: Pick<Ingresses, 'included'>;
}

/** Fields of a run that the document of its phase needs. */
type PhaseOwner = Pick<RunView, 'hasChanges' | 'parameters'>;

/**
 * Builds the documents of runs, the same for every route. Makes one query for each kind of related data, however many
 * runs there are.
 */
export class RunPresenter {
  readonly #options: RunPresenterOptions;

  constructor(options: RunPresenterOptions) {
    this.#options = options;
  }

  /**
   * Returns the JSON:API resources of runs.
   * @param origin scheme and host of the log URLs
   */
  async present(actor: Actor, runs: readonly RunView[], asked: RunIncludes, origin: string) {
    const { clock, comments, database, phases, stages, start, waitReasons } = this.#options;
    const ids = runs.map(({ id }) => id);
    const involved = runs.flatMap(({ createdBy, confirmedBy, agentId }) => [
      ...[createdBy, confirmedBy],
      agentId === null ? null : { id: agentId },
    ]);
    const [byRun, pointers, stagesOf, names, reasons, approvals] = await Promise.all([
      phases.ofRuns(ids),
      comments.pointersOf(ids),
      stages.ofRuns(ids),
      comments.names(involved),
      waitReasons.ofRuns(database, runs),
      approvalStates(database, runs, viewerOf(actor)),
    ]);
    const now = clock();
    const data = runs.map((run) =>
      RunResource.document(run, {
        phases: byRun.get(run.id) ?? [],
        pointers: pointers.get(run.id) ?? { events: [], comments: [] },
        stages: stagesOf.get(run.id) ?? [],
        variables: run.workspace.permissions['can-read-variable'] ? start.variables(run) : null,
        names,
        waitingFor: awaitedApprovals(run, approvals.get(run.id)) ?? reasons.get(run.id) ?? null,
        approvals: approvals.get(run.id),
        now,
      }),
    );
    const included = asked.size === 0 ? [] : await this.#included(actor, runs, asked, byRun, origin);
    const judged = asked.has('task_stages') ? [...stagesOf.values()].flat() : [];
    return { data, included: [...included, ...judged] };
  }

  /** Returns the JSON:API resource of a plan or an apply. */
  async phase({ credential }: Actor, phase: Phase, run: PhaseOwner, origin: string): Promise<Resource> {
    const logUrl = this.#options.phases.links.url(origin, { id: phase.id, holder: credential });
    const hasGenerated = await this.#hasGenerated(phase, run);
    return PHASE_RESOURCES[phase.kind].document(phase, { hasChanges: run.hasChanges, hasGenerated, logUrl });
  }

  /** The value is true for a failed plan too, if its output was uploaded. */
  async #hasGenerated({ id, status }: Phase, { parameters }: PhaseOwner): Promise<boolean> {
    if (!parameters['allow-config-generation'] || !isPhaseOver(status)) return false;
    return this.#options.outputs.has('json-output-redacted', id);
  }

  async #included(
    actor: Actor,
    runs: readonly RunView[],
    asked: RunIncludes,
    byRun: ReadonlyMap<string, Phase[]>,
    origin: string,
  ): Promise<Resource[]> {
    const { configurations, ingresses, users, workspaces } = this.#options;
    const phases = (kind: PhaseKind) =>
      Promise.all(
        runs.flatMap((run) =>
          (byRun.get(run.id) ?? [])
            .filter((phase) => phase.kind === kind)
            .map((phase) => this.phase(actor, phase, run, origin)),
        ),
      );
    const people = runs.flatMap(({ createdBy, confirmedBy }) => [
      ...(asked.has('created_by') ? [createdBy] : []),
      ...(asked.has('confirmed_by') && confirmedBy ? [confirmedBy] : []),
    ]);
    const userIds = [...new Set(people.filter(({ type }) => type === 'users').map(({ id }) => id))];
    const versionIds = [...new Set(runs.map((run) => run.configurationVersionId))];
    const withOrigin = asked.has('configuration_version.ingress_attributes');
    const withVersion = withOrigin || asked.has('configuration_version');
    const placement = asked.has('workspace')
      ? new Map(runs.map(({ workspace }) => [workspace.id, workspace]))
      : new Map();
    return [
      ...(asked.has('plan') ? await phases('plan') : []),
      ...(asked.has('apply') ? await phases('apply') : []),
      ...(userIds.length === 0 ? [] : await users.named(userIds)).map((user) => userResource(user, actor)),
      ...(withVersion ? await configurations.named(versionIds) : []).map((version) =>
        ConfigurationVersionResource.document(version),
      ),
      ...(withOrigin ? await ingresses.included(versionIds) : []),
      ...(placement.size === 0 ? [] : await workspaces.resourcesOf(actor, [...placement.values()])),
    ];
  }
}
