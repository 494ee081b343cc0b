import { isOperation } from '../../components/plan/operations.ts';
import type { Operation } from '../../components/plan/plan.ts';
import { text } from '../../shell/search.ts';

export type Part = 'plan' | 'apply' | 'history';

/** What of a run is in view, as it stands in the address. */
export interface RunSearch {
  /** Absent: what goes on, or was last. */
  readonly part?: Part;
  /** Where there is room for one half: `log`, or the resources. */
  readonly show?: 'log' | 'resources';
  readonly operation?: Operation;
  /** Part of an address. */
  readonly resource?: string;
}

/** Whatever else the address says is left out. */
export function readRunSearch(search: Readonly<Record<string, unknown>>): RunSearch {
  const { part, show, operation } = search;
  return {
    ...(part === 'plan' || part === 'apply' || part === 'history' ? { part } : {}),
    ...(show === 'log' || show === 'resources' ? { show } : {}),
    ...(isOperation(operation) ? { operation } : {}),
    ...text(search, 'resource'),
  };
}

/** The line that an address names: `L391`. */
export function lineOf(hash: string): number | undefined {
  const number = /^L([1-9]\d{0,8})$/.exec(hash)?.[1];
  return number === undefined ? undefined : Number(number);
}
