import type { Operation } from '../../../../src/lib/plan/plan.ts';
import { isOperation } from '../../components/plan/operations.ts';
import { text } from '../../shell/search.ts';

export type Part = 'plan' | 'apply' | 'history';

/** Search parameters of the page. */
export interface RunSearch {
  /** Selected tab; by default the current phase. */
  readonly part?: Part;
  /** Selected pane on narrow pages. */
  readonly show?: 'log' | 'resources';
  readonly operation?: Operation;
  /** Part of a resource address. */
  readonly resource?: string;
}

/** Reads the search parameters and ignores unknown ones. */
export function readRunSearch(search: Readonly<Record<string, unknown>>): RunSearch {
  const { part, show, operation } = search;
  return {
    ...(part === 'plan' || part === 'apply' || part === 'history' ? { part } : {}),
    ...(show === 'log' || show === 'resources' ? { show } : {}),
    ...(isOperation(operation) ? { operation } : {}),
    ...text(search, 'resource'),
  };
}

/** Line number from the URL fragment: `L391`. */
export function lineOf(hash: string): number | undefined {
  const number = /^L([1-9]\d{0,8})$/.exec(hash)?.[1];
  return number === undefined ? undefined : Number(number);
}
