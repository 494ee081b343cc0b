import type { Database, Queries } from '../../../storage/index.ts';
import { unprocessable } from '../../jsonapi/errors.ts';
import type { Workspace } from '../../workspace/index.ts';
import * as store from './store.ts';

const POINTER = '/data/relationships/configuration-version';

/** The provider matches the first four words and takes them as "nothing to destroy" (compatibility.md). */
const MISSING = 'Configuration version is missing: the workspace has no uploaded one.';
const UPLOAD = 'Upload one, or name one in the request';
const FETCH =
  'The workspace follows a repository: create a configuration version with vcs-ref HEAD, which fetches the newest commit and starts a run';

/** Finds the configuration versions that runs can use. */
export class UsableConfigurations {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Returns the version with that id, or by default the newest that can be applied.
   * @throws 422 when there is no usable version
   */
  async forRun(
    workspace: Pick<Workspace, 'id' | 'settings'>,
    id: string | undefined,
  ): Promise<{ id: string; speculative: boolean }> {
    const found = await (id === undefined
      ? store.usableConfigurationVersion(this.#database, workspace.id)
      : store.findConfigurationVersion(this.#database, id));
    if (found === undefined || found.workspaceId !== workspace.id) {
      const missing = `${MISSING} ${workspace.settings['vcs-repo'] === null ? UPLOAD : FETCH}`;
      throw unprocessable([
        { detail: id === undefined ? missing : 'Configuration version not found', pointer: POINTER },
      ]);
    }
    if (found.status !== 'uploaded' || found.backing !== 'kept') {
      const detail = `The configuration version is ${found.status}. A run needs an uploaded one`;
      throw unprocessable([{ detail, pointer: POINTER }]);
    }
    return found;
  }

  /** Returns the id of the newest version that can be applied, if there is any. */
  async newest(db: Queries, workspaceId: string): Promise<string | undefined> {
    return (await store.usableConfigurationVersion(db, workspaceId))?.id;
  }
}
