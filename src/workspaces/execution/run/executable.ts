import type { Queries } from '../../../storage/index.ts';
import { unprocessable } from '../../jsonapi/errors.ts';
import { findPlace, type Place } from './apply-check/place-store.ts';

const LOCAL = 'Runs cannot be created in a workspace whose execution mode is local';
const NO_POOL =
  'The workspace has the execution mode "agent" and no agent pool, so that no agent executes its runs: give it a pool';
const NO_OWN =
  'The workspace has the execution mode "remote", and this server has no agents of its own: give the workspace the execution mode "agent" and a pool';

/** Knows which workspaces have somebody who may execute their runs, now or later. */
export class ExecutableWorkspaces {
  readonly #isRemoteServed: boolean;

  /** @param isRemoteServed whether somebody may execute the runs of workspaces that leave them to the server */
  constructor(isRemoteServed: boolean) {
    this.#isRemoteServed = isRemoteServed;
  }

  /** Returns why no agent would ever execute a run of the workspace; undefined where one may. */
  async refusal(db: Queries, workspaceId: string): Promise<string | undefined> {
    const place = await findPlace(db, workspaceId);
    return place && this.#refusalOf(place);
  }

  /** @throws 422 with the reason where no agent would ever execute a run of the workspace */
  async require(db: Queries, workspaceId: string): Promise<void> {
    const detail = await this.refusal(db, workspaceId);
    if (detail !== undefined) throw unprocessable([{ detail, pointer: '/data/relationships/workspace' }]);
  }

  #refusalOf({ executionMode, pool, isInPool }: Place): string | undefined {
    if (executionMode === 'local') return LOCAL;
    if (executionMode === 'remote') return this.#isRemoteServed ? undefined : NO_OWN;
    if (isInPool) return undefined;
    if (pool === null) return NO_POOL;
    return `The agent pool ${pool} is not for this workspace, so that no agent executes its runs: allow the workspace in the pool, or give it another pool`;
  }
}
