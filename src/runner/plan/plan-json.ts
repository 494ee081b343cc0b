import type { Counts } from '../ports.ts';

/** A condition of the configuration, and how it turned out: `pass`, `fail`, `error`, `unknown`. */
export interface CheckJson {
  readonly status: string;
  readonly instances?: readonly { readonly status: string }[];
}

/** What is to happen to a resource. */
export interface ResourceChange {
  readonly mode: string;
  readonly type: string;
  readonly provider_name: string;
  readonly change: Change;
}

/** A value before and after; `…_sensitive` has true where that value is sensitive, in the same shape. */
export interface Change {
  readonly actions: readonly string[];
  readonly before?: unknown;
  readonly after?: unknown;
  readonly before_sensitive?: unknown;
  readonly after_sensitive?: unknown;
  readonly importing?: unknown;
}

/** Counts how many resources a plan adds, changes, removes and imports. A replacement is one added and one removed. */
export class ChangeCounter {
  readonly counts: { -readonly [K in keyof Counts]: number } = { add: 0, change: 0, remove: 0, import: 0 };

  take({ mode, change: { actions, importing } }: ResourceChange): void {
    if (mode !== 'managed') return;
    if (actions.includes('create')) this.counts.add += 1;
    if (actions.includes('update')) this.counts.change += 1;
    if (actions.includes('delete')) this.counts.remove += 1;
    if (importing !== undefined && importing !== null) this.counts.import += 1;
  }
}
