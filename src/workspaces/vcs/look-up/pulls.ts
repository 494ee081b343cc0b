import type { Pull } from '../provider/port.ts';

/** A stored pull request. Flags are 0 and 1. */
export interface KnownPull {
  readonly number: number;
  readonly state: Pull['state'];
  readonly headId: string;
  readonly headRef: string;
  readonly baseRef: string;
  readonly isFork: number;
  readonly isDraft: number;
}

/** Change of a pull request. */
export interface PullChange {
  readonly pull: Pull;
  readonly beforeId: string | null;
  /** Null: it was closed or merged. */
  readonly afterId: string | null;
}

/** Returns the row of a pull request. */
export function knownPull(pull: Pull): KnownPull {
  const { number, state, headId, headRef, baseRef, isDraft } = pull;
  return { number, state, headId, headRef, baseRef, isFork: Number(isForkOf(pull)), isDraft: Number(isDraft) };
}

/** Returns whether the change is in another repository. One that was deleted is another one. */
export const isForkOf = ({ headRepositoryId, baseRepositoryId }: Pull): boolean =>
  headRepositoryId !== baseRepositoryId;

/** Compares pull requests with those of earlier look-ups. */
export function comparePulls(known: ReadonlyMap<number, KnownPull>, pulls: readonly Pull[]): PullChange[] {
  return pulls.flatMap((pull): PullChange[] => {
    const before = known.get(pull.number);
    const isOpen = pull.state === 'open';
    if (before === undefined) return isOpen ? [{ pull, beforeId: null, afterId: pull.headId }] : [];
    if (!isOpen) return before.state === 'open' ? [{ pull, beforeId: before.headId, afterId: null }] : [];
    const isSame =
      before.state === 'open' &&
      before.headId === pull.headId &&
      before.baseRef === pull.baseRef &&
      before.isDraft === Number(pull.isDraft);
    return isSame ? [] : [{ pull, beforeId: before.headId, afterId: pull.headId }];
  });
}
