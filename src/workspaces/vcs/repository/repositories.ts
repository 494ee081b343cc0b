import { prefixedId } from '../../../lib/ids.ts';
import type { Queries, Transaction } from '../../../storage/index.ts';
import type { ProviderRepository } from '../provider/port.ts';
import type { Repository } from './repository.ts';
import * as store from './store.ts';

/** A repository that the provider described is trusted for this long when another workspace names it, milliseconds. */
const KNOWN_FOR = 10 * 60_000;

/** Repositories of connections, for the parts of this module. It checks no permission. */
export class Repositories {
  readonly #wakeLoop: () => void;

  /** @param wakeLoop starts due look-ups at once */
  constructor(wakeLoop: () => void) {
    this.#wakeLoop = wakeLoop;
  }

  /** Makes a look-up due now. It also follows one that is under way. */
  async wake(tx: Transaction, id: string, now: number): Promise<void> {
    await store.wakeRepository(tx, id, now);
    tx.afterCommit(this.#wakeLoop);
  }

  /** Returns a repository that the provider described under this name a short time ago. */
  known(db: Queries, connectionId: string, identifier: string, now: number): Promise<Repository | undefined> {
    return store.findDescribed(db, connectionId, identifier, now - KNOWN_FOR);
  }

  /** Stores a repository of a connection, which has one row however many workspaces follow it. */
  async put(
    tx: Transaction,
    { id: connectionId, organizationId }: { readonly id: string; readonly organizationId: string },
    described: ProviderRepository,
    now: number,
  ): Promise<Repository> {
    const tokenId = connectionId.startsWith('ot-') ? connectionId : null;
    const row = { id: prefixedId('vr', now), organizationId, connectionId, tokenId };
    const stored = await store.upsertRepository(tx, row, described, now);
    tx.afterCommit(this.#wakeLoop);
    return stored;
  }

  /** Returns the ids of the repositories of a GitHub App that GitHub knows by an id. */
  ofApp(db: Queries, githubAppId: string, providerId: string): Promise<string[]> {
    return store.repositoriesOfApp(db, githubAppId, providerId);
  }
}
