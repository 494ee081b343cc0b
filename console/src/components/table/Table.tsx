import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Icon } from '../icon/Icon.tsx';
import { type Column, nextSort } from './columns.ts';
import styles from './table.module.css';

interface HeadProps<T> {
  readonly columns: readonly Column<T>[];
  readonly sort?: string | undefined;
  readonly onSort?: ((sort: string) => void) | undefined;
}

/** The heads of the columns; those that the server sorts by are buttons. */
export function TableHead<T>({ columns, sort = '', onSort }: HeadProps<T>) {
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const isSorted = column.sort !== undefined && sort.replace(/^-/, '') === column.sort;
          const order = sort.startsWith('-') ? 'descending' : 'ascending';
          return (
            <th
              key={column.id}
              scope="col"
              className={`${column.isNumber ? styles.num : ''} ${column.className ?? ''}`}
              {...(isSorted && { 'aria-sort': order })}
            >
              {column.sort && onSort ? (
                <button
                  type="button"
                  className={styles.sort}
                  onClick={() => onSort(nextSort(column as Column<never>, sort))}
                >
                  {column.head}
                  {isSorted && <Icon name="down" className={order === 'ascending' ? (styles.up ?? '') : ''} />}
                </button>
              ) : (
                <span className={column.hideHead ? 'sr' : ''}>{column.head}</span>
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

/** One row: its name is its head. */
export function Cells<T>({ columns, item }: { readonly columns: readonly Column<T>[]; readonly item: T }) {
  return columns.map((column) => {
    const className = `${column.isNumber ? styles.num : styles.clip} ${column.className ?? ''}`;
    if (column.isName) {
      return (
        <th key={column.id} scope="row" className={`${styles.name} ${className}`}>
          {column.cell(item)}
        </th>
      );
    }
    return (
      <td key={column.id} className={className}>
        {column.cell(item)}
      </td>
    );
  });
}

interface TableProps<T> {
  /** What it lists, for whom it is read to. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  /** Part of a section, as wide as that; else from edge to edge. */
  readonly flush?: boolean;
  /** Rows that something else on the page is about. */
  readonly isAt?: (item: T) => boolean;
  /** Two lines for a row where it is narrow: the name and what stands beside it, below them the rest. */
  readonly twoLines?: boolean;
  readonly className?: string;
}

/** A table of which all is there. Long ones are a `List`. */
export function Table<T>({
  label,
  columns,
  items,
  keyOf,
  flush = false,
  isAt,
  twoLines = false,
  className = '',
}: TableProps<T>): ReactNode {
  return (
    <Frame label={label} flush={flush}>
      <table
        className={`${styles.table} ${flush ? styles.flush : ''} ${twoLines ? `${styles.twoLines} ${styles.bounded}` : ''} ${className}`}
      >
        <caption className="sr">{label}</caption>
        <TableHead columns={columns} />
        <tbody>
          {items.map((item) => (
            <tr key={keyOf(item)} {...(isAt?.(item) && { className: styles.at })}>
              <Cells columns={columns} item={item} />
            </tr>
          ))}
        </tbody>
      </table>
    </Frame>
  );
}

/** Where a table is too wide, its own frame scrolls, and then the keyboard reaches it. */
function Frame({
  label,
  flush,
  children,
}: {
  readonly label: string;
  readonly flush: boolean;
  readonly children: ReactNode;
}) {
  const ref = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const frame = ref.current;
    if (!frame) return;
    const observer = new ResizeObserver(() => setScrolls(frame.scrollWidth > frame.clientWidth));
    observer.observe(frame);
    // It may be what grows.
    for (const child of frame.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  return (
    <div
      ref={ref}
      className={`${styles.frame} ${flush ? '' : styles.edge}`}
      {...(scrolls && { tabIndex: 0, role: 'region', 'aria-label': label })}
    >
      {children}
    </div>
  );
}
