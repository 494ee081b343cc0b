import type { Transaction } from '../../../storage/index.ts';
import type { Dependent, SettingsChange } from '../../workspace/index.ts';
import type { Repositories } from '../repository/repositories.ts';
import { followedBy, type Link } from './link.ts';
import * as store from './store.ts';

/** Stores which repository each workspace follows, in the transactions that change its settings. */
export class Links {
  readonly #repositories: Repositories;
  readonly #wake: () => void;

  /** @param wake starts to look up new links at once */
  constructor(repositories: Repositories, wake: () => void) {
    this.#repositories = repositories;
    this.#wake = wake;
  }

  /** Follows a change of settings. */
  async settingsChanged(tx: Transaction, change: SettingsChange): Promise<void> {
    const { workspaceId, organizationId, now } = change;
    const before = followedBy(change.before);
    const after = followedBy(change.after);
    if (after === undefined) {
      if (before !== undefined) await this.#unlink(tx, workspaceId, now);
      return;
    }
    if (before?.connectionId === after.connectionId && before.identifier === after.identifier) {
      if (before.branch === after.branch && before.followsTags === after.followsTags) return;
      await store.setFollowed(tx, workspaceId, after);
      const link = await store.findLink(tx, workspaceId);
      if (link?.repositoryId) await this.#repositories.wake(tx, link.repositoryId, now);
      return;
    }
    if (before !== undefined) await this.#unlink(tx, workspaceId, now);
    const firstRun = Number(change.after['queue-all-runs']);
    await store.putLink(tx, { workspaceId, organizationId, firstRun, ...after }, now);
    tx.afterCommit(this.#wake);
  }

  /** The link of a deleted workspace, which it gets back when it is restored. */
  dependent(clock: () => number): Dependent {
    return {
      name: 'vcs-link',
      detach: async (tx, { id }) => {
        const link = await store.findLink(tx, id);
        if (link !== undefined) await this.#unlink(tx, id, clock());
        return link ?? null;
      },
      attach: async (tx, { id: workspaceId, organizationId }, kept) => {
        if (kept === null) return;
        const { connectionId, identifier, branch, followsTags } = kept as Link;
        const followed = { connectionId, identifier, branch, followsTags };
        await store.putLink(tx, { workspaceId, organizationId, firstRun: 0, ...followed }, clock());
        tx.afterCommit(this.#wake);
      },
    };
  }

  /** Wakes the repository, which is no longer polled when no workspace follows it. */
  async #unlink(tx: Transaction, workspaceId: string, now: number): Promise<void> {
    const link = await store.findLink(tx, workspaceId);
    await store.removeLink(tx, workspaceId);
    if (link?.repositoryId) await this.#repositories.wake(tx, link.repositoryId, now);
  }
}
