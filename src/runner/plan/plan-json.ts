import type { Counts } from '../ports.ts';

/** Result of a condition of the configuration: `pass`, `fail`, `error` or `unknown`. */
export interface CheckJson {
  readonly status: string;
  readonly instances?: readonly { readonly status: string }[];
}

/** Planned change of a resource. */
export interface ResourceChange {
  readonly mode: string;
  readonly type: string;
  readonly provider_name: string;
  /** Earlier address of a moved resource. */
  readonly previous_address?: string;
  readonly change: Change;
}

/** A value before and after. In `…_sensitive`, true marks sensitive parts, in the same structure as the value. */
export interface Change {
  readonly actions: readonly string[];
  readonly before?: unknown;
  readonly after?: unknown;
  readonly before_sensitive?: unknown;
  readonly after_sensitive?: unknown;
  readonly after_unknown?: unknown;
  readonly importing?: unknown;
}

/** A root variable of the configuration. */
export interface VariableJson {
  readonly default?: unknown;
}

/**
 * Counts how many resources a plan adds, changes, destroys and imports. A replacement counts as one addition and one
 * destruction.
 */
export class ChangeCounter {
  readonly counts: { -readonly [K in keyof Counts]: number } = {
    additions: 0,
    changes: 0,
    destructions: 0,
    imports: 0,
  };

  take({ mode, change: { actions, importing } }: ResourceChange): void {
    if (mode !== 'managed') return;
    if (actions.includes('create')) this.counts.additions += 1;
    if (actions.includes('update')) this.counts.changes += 1;
    if (actions.includes('delete')) this.counts.destructions += 1;
    if (importing !== undefined && importing !== null) this.counts.imports += 1;
  }
}

const UNCHANGED = new Set(['no-op', 'read']);

/**
 * Returns whether the apply of a change creates a new version of the state. An output without a value before and after
 * is in no state.
 */
export function changesState({ actions, importing, before, after, after_unknown: unknown }: Change): boolean {
  if (importing !== undefined && importing !== null) return true;
  const isNothing = (before ?? null) === null && (after ?? null) === null && (unknown ?? false) === false;
  return !isNothing && actions.some((action) => !UNCHANGED.has(action));
}
