import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { prefixedId } from '../../../lib/ids.ts';
import { type Blobs, type BlobWriter, type Database, findBlob, type Transaction } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { type Actor, principalIn, type WorkspacePermission } from '../../tenancy/index.ts';
import { setCurrentConfigurationVersion, type WorkspaceFinder } from '../../workspace/index.ts';
import type { Backing, ConfigurationVersion } from './configuration-version.ts';
import * as store from './store.ts';

/** Attributes of a new version; null means the default. */
export interface ConfigurationVersionInput {
  readonly autoQueueRuns: boolean;
  readonly speculative: boolean;
  readonly provisional: boolean;
  /** Origin as clients know it, such as `terraform+cloud`. Default: `tfe-api`. */
  readonly source?: string;
}

type Given = Pick<
  ConfigurationVersion,
  'id' | 'workspaceId' | 'autoQueueRuns' | 'speculative' | 'createdBy' | 'createdAt'
> & { readonly provisional?: boolean; readonly source?: string };

/** Returns a configuration version without an archive. */
export function newVersion(given: Given): ConfigurationVersion {
  return {
    ...{
      source: 'tfe-api',
      status: 'pending',
      provisional: false,
      untrusted: false,
      error: null,
      errorMessage: null,
      timestamps: {},
    },
    ...{ blobName: null, size: 0, backing: 'kept', ingressId: null },
    ...given,
  };
}

/** Returns whether an unfinished run uses the version. */
export type IsInUse = (tx: Transaction, id: string) => Promise<boolean>;

/** Dependencies of `ConfigurationVersions`. */
export interface ConfigurationVersionsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly blobs: Blobs;
  readonly blobWriter: BlobWriter;
  readonly workspaces: WorkspaceFinder;
  readonly isInUse: IsInUse;
}

/** Actions on archives that are not needed any more, and the states between which they move. */
export const BACKING_ACTIONS = {
  soft_delete_backing_data: { from: 'kept', to: 'soft_deleted' },
  restore_backing_data: { from: 'soft_deleted', to: 'kept' },
  permanently_delete_backing_data: { from: 'soft_deleted', to: 'deleted' },
} as const satisfies Record<string, { from: Backing; to: Backing }>;
/** One of BACKING_ACTIONS: an action on the archive of a version. */
export type BackingAction = keyof typeof BACKING_ACTIONS;

const IS_CURRENT = 'configuration could not be archived because it is current';
const NOT_NOW = 'configuration is current, used by an unfinished run, or not in a state that allows this action';

/** Configuration versions of workspaces. `ConfigurationUploads` handles their archives. */
export class ConfigurationVersions {
  readonly #options: ConfigurationVersionsOptions;

  constructor(options: ConfigurationVersionsOptions) {
    this.#options = options;
  }

  /**
   * Creates a configuration version.
   * @throws 404 without permission
   */
  async create(actor: Actor, workspaceId: string, input: ConfigurationVersionInput): Promise<ConfigurationVersion> {
    const { version } = await this.prepare(actor, workspaceId, input);
    const { speculative, provisional } = version;
    await this.#options.database.transaction(async (tx) => {
      await store.insertConfigurationVersion(tx, version);
      if (!speculative && !provisional) await setCurrentConfigurationVersion(tx, workspaceId, version.id);
    });
    return version;
  }

  /**
   * Returns a new configuration version that is not stored, with its organization.
   * @throws 404 without permission
   */
  async prepare(
    actor: Actor,
    workspaceId: string,
    input: ConfigurationVersionInput,
  ): Promise<{ readonly version: ConfigurationVersion; readonly organizationId: string }> {
    const { clock, workspaces } = this.#options;
    const { organizationId, permissions } = await workspaces.find(actor, { id: workspaceId }, 'can-queue-run');
    const now = clock();
    const { speculative } = input;
    // A version of an actor without the permission to queue runs does not start a run.
    const autoQueueRuns = input.autoQueueRuns && (speculative || permissions['can-queue-apply']);
    const version = newVersion({
      ...{ ...input, id: prefixedId('cv', now), workspaceId, autoQueueRuns, createdAt: now },
      createdBy: principalIn(actor, organizationId),
    });
    return { version, organizationId };
  }

  /** Stores a version that the server fetches. It becomes the current one when its files are there. */
  async insertFetching(tx: Transaction, version: ConfigurationVersion): Promise<ConfigurationVersion> {
    const timestamps = { fetching: version.createdAt };
    const fetching = { ...version, status: 'fetching', timestamps } as const;
    await store.insertConfigurationVersion(tx, fetching);
    return fetching;
  }

  /**
   * Finds a configuration version.
   * @throws 404 when it does not exist, or the actor may not see it
   */
  show(actor: Actor, id: string): Promise<ConfigurationVersion> {
    return this.#find(actor, id, 'can-read-run');
  }

  /** Returns one page, newest first. @throws 404 without permission */
  async list(actor: Actor, workspaceId: string, page: Page): Promise<Slice<ConfigurationVersion>> {
    if (isForeign(actor, '')) throw notFound();
    await this.#options.workspaces.find(actor, { id: workspaceId }, 'can-read-run');
    return store.listConfigurationVersions(this.#options.database, workspaceId, page);
  }

  /**
   * Returns the versions with these ids. The caller has checked that the actor may see the objects that refer to
   * them.
   */
  named(ids: readonly string[]): Promise<ConfigurationVersion[]> {
    return store.findConfigurationVersions(this.#options.database, ids);
  }

  /** Returns the archive. @throws 404 without permission, or when there is no archive */
  async download(actor: Actor, id: string): Promise<AsyncIterable<Uint8Array>> {
    const { blobs, database } = this.#options;
    const { status, backing, blobName } = await this.show(actor, id);
    const isThere = (status === 'uploaded' || status === 'archived') && backing === 'kept' && blobName !== null;
    const blob = isThere ? await findBlob(database, blobName) : undefined;
    if (blob === undefined) throw notFound();
    return blobs.read(blob);
  }

  /**
   * Archives a version and deletes its archive.
   * @throws 404 without permission, 409 while the version is needed
   */
  async archive(actor: Actor, id: string): Promise<void> {
    const { clock, database, isInUse } = this.#options;
    await this.#find(actor, id, 'can-queue-apply');
    await database.transaction(async (tx) => {
      const version = await this.#claim(tx, id);
      if (await store.isCurrentConfigurationVersion(tx, version)) throw notAllowed('conflict', IS_CURRENT);
      if (version.status !== 'uploaded') throw notAllowed('conflict', `configuration is ${version.status}`);
      if (await isInUse(tx, id)) throw notAllowed('conflict', 'configuration is needed by an unfinished run');
      const timestamps = { ...version.timestamps, archived: clock() };
      await this.#drop(tx, version);
      await store.updateConfigurationVersion(tx, { ...version, status: 'archived', timestamps, blobName: null });
    });
  }

  /**
   * Changes the state of an archive.
   * @throws 404 unless the actor administers the workspace, 400 when the state of the archive does not allow the
   * action
   */
  async backing(actor: Actor, id: string, action: BackingAction): Promise<void> {
    await this.#find(actor, id, 'can-update');
    await this.#options.database.transaction(async (tx) => {
      if (!(await this.#change(tx, id, action))) throw notAllowed('bad-request', NOT_NOW);
    });
  }

  /** Like `backing`, for retention policies without an actor. Returns false if the action is not possible. */
  retain(id: string, action: BackingAction): Promise<boolean> {
    return this.#options.database.transaction((tx) => this.#change(tx, id, action));
  }

  async #change(tx: Transaction, id: string, action: BackingAction): Promise<boolean> {
    const { from, to } = BACKING_ACTIONS[action];
    const version = await this.#claim(tx, id);
    if (version.backing !== from || version.status !== 'uploaded') return false;
    if (
      from === 'kept' &&
      ((await store.isCurrentConfigurationVersion(tx, version)) || (await this.#options.isInUse(tx, id)))
    )
      return false;
    if (to === 'deleted') await this.#drop(tx, version);
    await store.updateConfigurationVersion(tx, {
      ...version,
      backing: to,
      blobName: to === 'deleted' ? null : version.blobName,
    });
    return true;
  }

  /** Deletes the archive when the transaction is committed. */
  async #drop(tx: Transaction, { blobName: name }: ConfigurationVersion): Promise<void> {
    if (name !== null) await this.#options.blobWriter.release(tx, name);
  }

  async #claim(tx: Transaction, id: string): Promise<ConfigurationVersion> {
    const version = await store.claimConfigurationVersion(tx, id);
    if (version === undefined) throw notFound();
    return version;
  }

  async #find(actor: Actor, id: string, permission: WorkspacePermission): Promise<ConfigurationVersion> {
    const version = await store.findConfigurationVersion(this.#options.database, id);
    if (version === undefined || isForeign(actor, id)) throw notFound();
    await this.#options.workspaces.find(actor, { id: version.workspaceId }, permission);
    return version;
  }
}

/** Returns whether the actor's token belongs to one run and this version to another. */
function isForeign(actor: Actor, id: string): boolean {
  if (actor.kind === 'task') return actor.configurationVersionId !== id;
  return actor.kind === 'agent' && actor.job?.configurationVersionId !== id;
}

function notAllowed(kind: 'conflict' | 'bad-request', detail: string): AppError {
  return new AppError(kind, detail, { title: 'transition not allowed' });
}
