import type { Database } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { type Actor, mayInOrganization } from '../../tenancy/index.ts';
import type { WorkspaceFinder, WorkspaceView } from '../../workspace/index.ts';
import type { RunResult, RunResults } from '../hooks/run-results.ts';
import { MOST_FOLLOWERS } from '../link/resolution.ts';
import * as store from './store.ts';

export interface EventPagesOptions {
  readonly database: Database;
  readonly workspaces: Pick<WorkspaceFinder, 'readable'>;
  readonly results: () => RunResults;
}

/** Verdict of one workspace, with its run. */
export interface WorkspaceVerdict extends store.StoredVerdict {
  readonly workspace: WorkspaceView;
  /** Undefined without a run, or if it was deleted. */
  readonly result: RunResult | undefined;
}

/** One event with its verdicts and runs: the page to which the status of a commit leads. */
export class EventPages {
  readonly #options: EventPagesOptions;

  constructor(options: EventPagesOptions) {
    this.#options = options;
  }

  /** Finds an event. @throws 404 without the right to manage VCS settings or to see one of its workspaces */
  async event(actor: Actor, id: string): Promise<store.ShownEvent> {
    return (await this.#find(actor, id)).event;
  }

  /**
   * Returns the verdicts of those workspaces that the actor can see: runs first, then by name.
   * @throws as `event`
   */
  async verdicts(actor: Actor, id: string, page: Page): Promise<Slice<WorkspaceVerdict>> {
    const { database, results } = this.#options;
    const { judged, seen } = await this.#find(actor, id);
    const runs = new Map(judged.map(({ workspaceId, runId }) => [workspaceId, runId]));
    const visible = [...seen.values()].filter((workspace) => runs.has(workspace.id));
    const hasNoRun = ({ id: workspaceId }: WorkspaceView) => Number(runs.get(workspaceId) === null);
    const sorted = visible.toSorted((a, b) => hasNoRun(a) - hasNoRun(b) || a.name.localeCompare(b.name, 'en'));
    const shown = sorted.slice(page.offset, page.offset + page.size);
    const verdicts = new Map(
      (await store.findVerdicts(database, id, shown)).map((verdict) => [verdict.workspaceId, verdict]),
    );
    const runIds = [...verdicts.values()].flatMap(({ runId }) => runId ?? []);
    const found = new Map((await results().of(database, runIds)).map((result) => [result.runId, result]));
    const items = shown.flatMap((workspace): WorkspaceVerdict[] => {
      const verdict = verdicts.get(workspace.id);
      return verdict === undefined ? [] : [{ ...verdict, workspace, result: found.get(verdict.runId ?? '') }];
    });
    return { items, total: visible.length };
  }

  async #find(actor: Actor, id: string) {
    const { database, workspaces } = this.#options;
    const event = await store.findEvent(database, id);
    if (event === undefined || !actor.grants.has(event.organizationId)) throw notFound();
    const { organizationId, repositoryId } = event;
    const judged = await store.judgedWorkspaces(database, id, MOST_FOLLOWERS);
    const following = await store.followersOf(database, repositoryId, MOST_FOLLOWERS);
    const ids = [...new Set([...judged.map(({ workspaceId }) => workspaceId), ...following])];
    const readable = (await workspaces.readable(actor, organizationId, ids)).filter(
      ({ permissions }) => permissions['can-read-settings'],
    );
    if (readable.length === 0 && !mayInOrganization(actor, organizationId, 'can-update-oauth')) throw notFound();
    return { event, judged, seen: new Map(readable.map((workspace) => [workspace.id, workspace])) };
  }
}
