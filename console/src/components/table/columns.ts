import type { ReactNode } from 'react';

/** A column of a table. */
export interface Column<T> {
  readonly id: string;
  readonly head: ReactNode;
  /** For a head that is told and not seen. */
  readonly hideHead?: boolean;
  readonly cell: (item: T) => ReactNode;
  /** The name of the row: its cell is the head of the row. */
  readonly isName?: boolean;
  /** Figures, at the end. */
  readonly isNumber?: boolean;
  readonly className?: string | undefined;
  /** What the server sorts by: `name` up, `-name` down. */
  readonly sort?: string;
  /** The way that one wants first. */
  readonly sortsDown?: boolean;
}

/** What to sort by after a click on the head of a column. */
export function nextSort({ sort = '', sortsDown = false }: Column<never>, current: string): string {
  if (current === sort) return `-${sort}`;
  if (current === `-${sort}`) return sort;
  return sortsDown ? `-${sort}` : sort;
}
