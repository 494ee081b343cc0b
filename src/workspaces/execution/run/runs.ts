import type { Clock } from '../../../lib/clock.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import type { RequestSource } from '../../http/request-source.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import type { Fragment } from '../../query/dynamic.ts';
import { type Actor, nameOfActor, type Organizations, principalIn, requirePermission } from '../../tenancy/index.ts';
import type { WorkspaceFinder, WorkspaceView } from '../../workspace/index.ts';
import type { UsableConfigurations } from '../configuration-version/usable.ts';
import { requireRelease } from '../lifecycle/engine.ts';
import { QUEUE_CLASS } from '../lifecycle/queue.ts';
import type { RunFinder, RunView } from './finder.ts';
import { countByStatus, type RunCounts } from './list/count-store.ts';
import { readableRuns } from './list/list-filter.ts';
import * as listStore from './list/list-store.ts';
import * as queueStore from './queue-store.ts';
import type { CreateRunInput } from './resource.ts';
import { parametersOf } from './rules.ts';
import type { RunCapacity } from './run.ts';
import { type RunRequest, type RunStart, requireExecutable, type StartableWorkspace } from './start.ts';

/** Dependencies of `Runs`. */
export interface RunsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly organizations: Organizations;
  readonly workspaces: WorkspaceFinder;
  readonly finder: RunFinder;
  readonly configurations: UsableConfigurations;
  readonly start: RunStart;
}

/** Creates, reads and lists runs. `RunActions` changes them. */
export class Runs {
  readonly #options: RunsOptions;

  constructor(options: RunsOptions) {
    this.#options = options;
  }

  /**
   * Creates a run.
   * @throws 404 without permission, 422 for invalid options, 409 when too many runs wait
   */
  async create(
    actor: Actor,
    { attributes = {}, relationships }: CreateRunInput,
    { source, client }: RequestSource,
  ): Promise<RunView> {
    const { configurations, database, finder, start, workspaces } = this.#options;
    const workspace = await workspaces.find(actor, { id: relationships.workspace.data.id }, 'can-queue-run');
    requireExecutable(found(await start.workspace(database, workspace.id)));
    const named = relationships['configuration-version']?.data?.id;
    const configuration = await configurations.forRun(workspace, named);
    const parameters = parametersOf(attributes, defaultsOf(workspace), configuration.speculative);
    if (!parameters['plan-only']) requirePermission(workspace.permissions, 'can-queue-apply');
    const request = {
      configurationVersionId: configuration.id,
      source,
      client,
      triggerReason: 'manual',
      message: attributes.message ?? 'Queued manually through the API',
      parameters,
      variables: attributes.variables ?? [],
      createdBy: principalIn(actor, workspace.organizationId),
      createdByName: nameOfActor(actor),
      // The client of the `remote` backend prints a log unchanged. The client of a `cloud` block reads structured logs.
      plainLog: source === 'terraform',
    };
    const id = await database.transaction((tx) => this.#start(tx, workspace.id, request));
    return finder.find(actor, id);
  }

  /** Reads the workspace again, because its agents may have changed. */
  async #start(tx: Transaction, workspaceId: string, request: RunRequest): Promise<string> {
    const { clock, start } = this.#options;
    return start.startFor(tx, found(await start.workspace(tx, workspaceId)), request, clock(), requireRelease);
  }

  /**
   * Finds a run.
   * @throws 404 when it does not exist, or the actor may not see it
   */
  show(actor: Actor, id: string): Promise<RunView> {
    return this.#options.finder.find(actor, id);
  }

  /** Returns one page of the runs of a workspace, newest first. @throws 404 without permission */
  async list(actor: Actor, workspaceId: string, where: readonly Fragment[], page: Page): Promise<Slice<RunView>> {
    const { database, finder, workspaces } = this.#options;
    const { organizationId } = await workspaces.find(actor, { id: workspaceId }, 'can-read-run');
    const { items, total } = await listStore.listRunsOfWorkspace(database, workspaceId, where, page);
    return { items: await finder.views(actor, organizationId, items), total };
  }

  /**
   * Returns one page of the runs of an organization that the actor may see, newest first, with counts for each status
   * that ignore the filter.
   * @throws 404 without permission
   */
  async listOrganization(
    actor: Actor,
    organizationName: string,
    where: readonly Fragment[],
    page: Page,
    wantsCounts = false,
  ): Promise<{ items: RunView[]; more: boolean; counts: RunCounts | undefined }> {
    const { database, finder, organizations } = this.#options;
    const { id, grant } = await organizations.find(actor, organizationName, 'can-traverse');
    const readable = readableRuns(grant);
    const { items, more } = await listStore.listRunsOfOrganization(database, id, [...where, ...readable], page);
    const counts = wantsCounts ? await countByStatus(database, id, readable) : undefined;
    return { items: await finder.views(actor, id, items), more, counts };
  }

  /**
   * Returns one page of the queue as the actor may see it, next run first.
   * @throws 404 without permission
   */
  async queue(actor: Actor, organizationName: string, where: readonly Fragment[], page: Page): Promise<Slice<RunView>> {
    const { database, finder, organizations } = this.#options;
    const { id, grant } = await organizations.find(actor, organizationName, 'can-traverse');
    const { items, total } = await listStore.listQueuedRuns(database, id, [...where, ...readableRuns(grant)], page);
    return { items: await finder.views(actor, id, items), total };
  }

  /**
   * Returns how many runs of the organization wait, and how many are executed.
   * @throws 404 without permission
   */
  async capacity(actor: Actor, organizationName: string): Promise<RunCapacity> {
    const { database, organizations } = this.#options;
    const { id } = await organizations.find(actor, organizationName, 'can-traverse');
    const counted = await queueStore.countQueuedByClass(database, id);
    const total = counted.reduce((sum, { count }) => sum + count, 0);
    const running = counted.find(({ queueClass }) => queueClass === QUEUE_CLASS.running)?.count ?? 0;
    return { pending: total - running, running };
  }
}

/**
 * Returns the workspace settings that are defaults of its runs. `engineVersion` is the one that the workspace itself
 * sets.
 */
function defaultsOf({ settings }: WorkspaceView) {
  return {
    autoApply: settings['auto-apply'],
    engineVersion: settings['engine-version'],
    allowsDestroyPlan: settings['allow-destroy-plan'],
  };
}

/** @throws 404 for a workspace that was deleted meanwhile */
function found(workspace: StartableWorkspace | undefined): StartableWorkspace {
  if (workspace === undefined) throw notFound();
  return workspace;
}
