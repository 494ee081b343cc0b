import type { GitRemote } from '../../../git/index.ts';
import { ProviderError } from '../provider/provider-error.ts';
import type { EventPull } from './event.ts';

/** @limit time for which a plan waits for the provider to merge a pull request, ms -> its head is planned */
const LONGEST_WAIT = 30_000;
const SECOND = 1000;

/** Commit whose files are planned for a pull request. */
export interface Planned {
  readonly commitId: string;
  /** Added to the message of the run; empty if there is nothing to say. */
  readonly remark: string;
}

/**
 * Returns the merge of a pull request into its target branch, if the provider has made it: a commit whose parents are
 * the newest commits of both. Otherwise returns the head, and says why.
 * @param ref of the merge; undefined if the provider has none
 * @param age of the event, milliseconds. Providers merge some seconds after a push.
 * @throws ProviderError `unreachable` to try again soon
 */
export async function mergeResult(
  remote: Pick<GitRemote, 'refs' | 'commit'>,
  ref: string | undefined,
  { headId, baseRef }: Pick<EventPull, 'baseRef'> & { readonly headId: string },
  age: number,
): Promise<Planned> {
  const unmerged = (why: string) => ({ commitId: headId, remark: ` (without ${baseRef}: ${why})` });
  if (ref === undefined) return unmerged('the provider has no merged commits');
  const base = `refs/heads/${baseRef}`;
  const refs = new Map((await remote.refs([ref, base])).map(({ name, commitId }) => [name, commitId]));
  const merged = refs.get(ref);
  const parents = merged === undefined ? [] : (await remote.commit(merged)).parentIds;
  const isOfBoth = parents.length === 2 && parents[0] === refs.get(base) && parents[1] === headId;
  if (merged !== undefined && isOfBoth) return { commitId: merged, remark: ` (merged into ${baseRef})` };
  if (age >= LONGEST_WAIT) return unmerged('the provider has not merged it, maybe because of a conflict');
  throw new ProviderError('unreachable', 'The provider has not merged the pull request yet', {
    retryAfterMs: 5 * SECOND,
  });
}
