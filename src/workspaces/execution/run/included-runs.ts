import type { Database } from '../../../storage/index.ts';
import type { Resource } from '../../jsonapi/document.ts';
import type { Actor } from '../../tenancy/index.ts';
import type { RunFinder } from './finder.ts';
import * as listStore from './list/list-store.ts';
import type { RunIncludes, RunPresenter } from './presenter.ts';

/** Value of `include` that adds nothing besides the runs. */
const ALONE: RunIncludes = new Set();

/** Runs as included resources of other documents. */
export class IncludedRuns {
  readonly #database: Database;
  readonly #finder: RunFinder;
  readonly #presenter: RunPresenter;

  constructor(database: Database, finder: RunFinder, presenter: RunPresenter) {
    this.#database = database;
    this.#finder = finder;
    this.#presenter = presenter;
  }

  /**
   * Returns the runs with these ids that the actor may see, and the resources that `include` requests.
   * @param origin scheme and host of the log URLs
   */
  async named(actor: Actor, ids: readonly string[], origin: string, asked = ALONE): Promise<Resource[]> {
    return this.#shown(actor, await listStore.findListedRuns(this.#database, [...new Set(ids)]), origin, asked);
  }

  /**
   * Returns the newest run of each configuration version: run ids by configuration version id, and the runs that the
   * actor may see.
   */
  async ofConfigurations(actor: Actor, configurationIds: readonly string[], origin: string) {
    const runs = await listStore.newestRuns(this.#database, configurationIds);
    const resources = await this.#shown(actor, runs, origin, ALONE);
    const seen = new Set(resources.map(({ id }) => id));
    const shown = runs.filter(({ id }) => seen.has(id));
    return { resources, byConfiguration: new Map(shown.map((run) => [run.configurationVersionId, run.id])) };
  }

  async #shown(actor: Actor, runs: readonly listStore.ListedRun[], origin: string, asked: RunIncludes) {
    const byOrganization = Map.groupBy(runs, ({ organizationId }) => organizationId);
    const views = [...byOrganization].map(([id, own]) => this.#finder.views(actor, id, own));
    const { data, included } = await this.#presenter.present(actor, (await Promise.all(views)).flat(), asked, origin);
    return [...data, ...included];
  }
}
