import type { GitRemote } from '../../../git/index.ts';
import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import { MAX_CONFIGURATION } from '../../../lib/job/limits.ts';
import type { BlobDraft, BlobWriter, Database } from '../../../storage/index.ts';
import type { Repository } from '../repository/repository.ts';
import * as store from './store.ts';

/**
 * Configuration versions keep their files themselves. Later runs of the same commit fetch it again.
 * @limit time after its last use for which the archive of a commit is kept, ms -> it is deleted
 */
const KEPT_FOR = 7 * 24 * 3_600_000;

/** Dependencies of `CommitArchiveStore`. */
export interface CommitArchiveStoreOptions {
  readonly database: Database;
  readonly blobs: BlobWriter;
  readonly clock: Clock;
}

/** Stores the files of each commit once, for all workspaces and runs. */
export class CommitArchiveStore {
  readonly #options: CommitArchiveStoreOptions;
  /** Archives that this process is fetching. */
  readonly #underWay = new Map<string, Promise<string>>();

  constructor(options: CommitArchiveStoreOptions) {
    this.#options = options;
  }

  /**
   * Returns the id of the archive of a commit, which is fetched unless it is stored.
   * @throws GitError; AppError `too-large`
   */
  ensure(
    repository: Pick<Repository, 'id' | 'organizationId'>,
    remote: GitRemote,
    commitId: string,
    submodules: boolean,
  ): Promise<string> {
    const key = `${repository.id}/${commitId}/${submodules}`;
    const known = this.#underWay.get(key);
    if (known !== undefined) return known;
    const work = this.#ensure(repository, remote, commitId, submodules).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, work);
    return work;
  }

  async #ensure(
    { id: repositoryId, organizationId }: Pick<Repository, 'id' | 'organizationId'>,
    remote: GitRemote,
    commitId: string,
    submodules: boolean,
  ): Promise<string> {
    const { blobs, clock, database } = this.#options;
    const key = { repositoryId, commitId, submodules: Number(submodules) };
    const stored = await store.useArchive(database, key, clock());
    if (stored !== undefined) return stored.id;
    const archive = await remote.archive(commitId, { submodules });
    const options = { owner: { organizationId }, kind: 'vcs-archive', maxBytes: MAX_CONFIGURATION };
    return blobs.write(archive.bytes, options, (draft: BlobDraft) =>
      database.transaction(async (tx) => {
        const now = clock();
        const id = prefixedId('va', now);
        const other = await store.useArchive(tx, key, now);
        if (other !== undefined) return other.id;
        const blobName = await blobs.keep(tx, draft);
        const notes = JSON.stringify(archive.notes);
        await store.insertArchive(tx, { ...key, id, organizationId, blobName, size: draft.size, notes }, now);
        return id;
      }),
    );
  }

  /** Deletes some archives that were not used for a long time. Returns how many. */
  removeUnused(step: number): Promise<number> {
    const { clock, database } = this.#options;
    return store.removeUnusedArchives(database, clock() - KEPT_FOR, step);
  }
}
