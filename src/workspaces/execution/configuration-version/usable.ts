import type { Database, Queries } from '../../../storage/index.ts';
import { unprocessable } from '../../jsonapi/errors.ts';
import * as store from './store.ts';

const POINTER = '/data/relationships/configuration-version';

/** The provider looks for the first four words: then there is nothing to destroy (compatibility.md). */
const MISSING =
  'Configuration version is missing: the workspace has none that is uploaded. Upload one, or name one in the request';

/** What runs can be made of. */
export class UsableConfigurations {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * The one with that id, or without one the newest that can be applied.
   * @throws 422 when there is none that a run can use
   */
  async forRun(workspaceId: string, id: string | undefined): Promise<{ id: string; speculative: boolean }> {
    const found = await (id === undefined
      ? store.usableConfigurationVersion(this.#database, workspaceId)
      : store.findConfigurationVersion(this.#database, id));
    if (found === undefined || found.workspaceId !== workspaceId) {
      throw unprocessable([
        { detail: id === undefined ? MISSING : 'Configuration version not found', pointer: POINTER },
      ]);
    }
    if (found.status !== 'uploaded' || found.backing !== 'kept') {
      const detail = `The configuration version is ${found.status}: a run needs one that is uploaded`;
      throw unprocessable([{ detail, pointer: POINTER }]);
    }
    return found;
  }

  /** The id of the newest that can be applied, if there is any. */
  async newest(db: Queries, workspaceId: string): Promise<string | undefined> {
    return (await store.usableConfigurationVersion(db, workspaceId))?.id;
  }
}
