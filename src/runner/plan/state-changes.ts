import type { Change, ResourceChange } from './plan-json.ts';

/** Finds out whether to apply a plan makes a new version of the state. */
export class StateChanges {
  #isChanged = false;
  #hasDrift = false;

  resource({ change, previous_address: before }: ResourceChange): void {
    this.#isChanged ||= before !== undefined || isChange(change);
  }

  output(change: Change): void {
    this.#isChanged ||= isChange(change);
  }

  drift(): void {
    this.#hasDrift = true;
  }

  /** @param refreshOnly the apply takes over what has changed elsewhere, and nothing else */
  changesState(refreshOnly: boolean): boolean {
    return this.#isChanged || (refreshOnly && this.#hasDrift);
  }
}

const UNCHANGED = new Set(['no-op', 'read']);

/** An output that has no value, before and after, is in no state. */
function isChange({ actions, importing, before, after, after_unknown: unknown }: Change): boolean {
  if (importing !== undefined && importing !== null) return true;
  const isNothing = (before ?? null) === null && (after ?? null) === null && (unknown ?? false) === false;
  return !isNothing && actions.some((action) => !UNCHANGED.has(action));
}
