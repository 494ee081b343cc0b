import type { Queries, Transaction } from '../../../storage/index.ts';
import type { Hint, Sender } from '../provider/port.ts';
import type { StoredDelivery } from './hook.ts';
import * as store from './store.ts';

/** @limit deliveries of webhooks that one look-up uses, deliveries -> the others follow in the next look-up */
const MOST_USED = 200;
/** @limit stored deliveries of the webhook of a repository, deliveries -> the oldest are deleted */
const MOST_KEPT = 500;

/** What deliveries say about the changes of a look-up. */
export interface Hints {
  readonly deliveries: readonly StoredDelivery[];
  /** Whether the provider said that the repository itself changed. */
  readonly isRepositoryChanged: boolean;
  /** Returns who pushed a branch or tag, and a page that compares the commits. */
  ofPush(ref: string, afterId: string | null): { readonly sender: Sender; readonly compareUrl: string | null } | undefined;
  ofPull(number: number): Sender | undefined;
}

/** Reads the deliveries that no look-up has used. */
export async function readHints(db: Queries, repositoryId: string): Promise<Hints> {
  const deliveries = await store.waitingDeliveries(db, repositoryId, MOST_USED);
  const hints = deliveries.flatMap((delivery) => JSON.parse(delivery.hints) as Hint[]).toReversed();
  return {
    deliveries,
    isRepositoryChanged: hints.some(({ kind }) => kind === 'repository'),
    ofPush(ref, afterId) {
      const pushes = hints.flatMap((hint) => (hint.kind === 'push' && hint.ref === ref ? [hint] : []));
      // An annotated tag has the id of its object instead of that of its commit.
      return pushes.find(({ after }) => after === afterId) ?? (ref.startsWith('refs/tags/') ? pushes[0] : undefined);
    },
    ofPull: (number) =>
      hints.flatMap((hint) => (hint.kind === 'pull' && hint.number === number ? [hint.sender] : []))[0],
  };
}

/** Stores what a look-up did with the deliveries that it has read. */
export async function settleHints(
  tx: Transaction,
  repositoryId: string,
  { deliveries }: Hints,
  outcome: string,
): Promise<void> {
  for (const { id } of deliveries) await store.settleDelivery(tx, id, outcome);
  if (deliveries.length > 0) await store.keepNewestDeliveries(tx, repositoryId, MOST_KEPT);
}
