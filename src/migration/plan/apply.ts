import { sideBySide } from '../connection/side-by-side.ts';
import { Refused } from '../model/errors.ts';
import type { Note } from '../model/item.ts';
import type { Change, Plan } from './plan.ts';

/** Writes items to a target. */
export interface Writer {
  /**
   * Creates or updates the item.
   * @returns what could not be taken, if the rest was
   * @throws Refused if the target refuses the item
   */
  write(change: Change): Promise<string | undefined>;
}

/** Result of an applied plan. */
export interface Applied {
  readonly done: readonly Change[];
  /** Refusals of the target, and items that were taken in part. */
  readonly refused: readonly Note[];
}

/**
 * Applies a plan: kinds one after the other, items of a kind at the same time. An item that the target refuses becomes a
 * refusal, and the others go on.
 * @param wordsOf names a change for people
 * @param onDone called after each item that was written
 */
export async function applyPlan(
  { changes }: Plan,
  writer: Writer,
  wordsOf: (change: Change) => string,
  onDone: (change: Change) => void,
): Promise<Applied> {
  const done: Change[] = [];
  const refused: Note[] = [];
  const kinds = Map.groupBy(
    changes.filter(({ action }) => action !== 'same'),
    ({ item }) => item.kind,
  );
  for (const ofKind of kinds.values()) {
    await sideBySide(ofKind, async (change) => {
      try {
        const why = await writer.write(change);
        if (why !== undefined) refused.push({ about: wordsOf(change), why });
        done.push(change);
        onDone(change);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        refused.push({ about: wordsOf(change), why: error.message });
      }
    });
  }
  return { done, refused };
}
