import type { Queries } from '../../../storage/index.ts';
import { unprocessable } from '../../jsonapi/errors.ts';
import { findPlace, type Place } from './apply-check/place-store.ts';

const LOCAL = 'Runs cannot be created in a workspace whose execution mode is local';
const NO_POOL =
  'The workspace has the execution mode "agent" but no agent pool, so no agent executes its runs. Assign an agent pool';
const NO_OWN =
  'The workspace has the execution mode "remote", but this server has no agents of its own. Set the execution mode to "agent" and assign an agent pool';

/** Knows which workspaces have agents that may execute their runs, now or later. */
export class ExecutableWorkspaces {
  readonly #isRemoteServed: boolean;

  /** @param isRemoteServed whether the server has agents for workspaces in `remote` mode */
  constructor(isRemoteServed: boolean) {
    this.#isRemoteServed = isRemoteServed;
  }

  /** Returns why no agent would ever execute a run of the workspace; undefined if one may. */
  async refusal(db: Queries, workspaceId: string): Promise<string | undefined> {
    const place = await findPlace(db, workspaceId);
    return place && this.#refusalOf(place);
  }

  /**
   * Checks that an agent may execute a run of the workspace, now or later.
   * @throws 422 with the reason if no agent would ever execute it
   */
  async require(db: Queries, workspaceId: string): Promise<void> {
    const detail = await this.refusal(db, workspaceId);
    if (detail !== undefined) throw unprocessable([{ detail, pointer: '/data/relationships/workspace' }]);
  }

  #refusalOf({ executionMode, pool, isInPool }: Place): string | undefined {
    if (executionMode === 'local') return LOCAL;
    if (executionMode === 'remote') return this.#isRemoteServed ? undefined : NO_OWN;
    if (isInPool) return undefined;
    if (pool === null) return NO_POOL;
    return `The agent pool ${pool} does not serve this workspace, so no agent executes its runs. Allow the workspace in the pool, or assign another pool`;
  }
}
