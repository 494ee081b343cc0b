import type { ReactNode } from 'react';

/** A column of a table. */
export interface Column<T> {
  readonly id: string;
  readonly head: ReactNode;
  /** Hides the heading visually; screen readers still read it. */
  readonly hideHead?: boolean;
  readonly cell: (item: T) => ReactNode;
  /** Whether the column is the row heading. */
  readonly isName?: boolean;
  /** Whether the column holds numbers, which are aligned at the end. */
  readonly isNumber?: boolean;
  readonly className?: string | undefined;
  /** Sort key of the API: `name` ascending, `-name` descending. */
  readonly sort?: string;
  /** Whether the first click sorts descending. */
  readonly sortsDown?: boolean;
}

/** Returns the sort key after a click on a column heading. */
export function nextSort({ sort = '', sortsDown = false }: Column<never>, current: string): string {
  if (current === sort) return `-${sort}`;
  if (current === `-${sort}`) return sort;
  return sortsDown ? `-${sort}` : sort;
}
