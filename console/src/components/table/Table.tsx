import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Icon } from '../icon/Icon.tsx';
import { type Column, nextSort } from './columns.ts';
import styles from './table.module.css';

interface HeadProps<T> {
  readonly columns: readonly Column<T>[];
  readonly sort?: string | undefined;
  readonly onSort?: ((sort: string) => void) | undefined;
}

/** Column headings; sortable ones are buttons. */
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

/** Cells of one row. The name column is the row heading. */
export function Cells<T>({ columns, item }: { readonly columns: readonly Column<T>[]; readonly item: T }) {
  return columns.map((column) => {
    const className = `${column.isNumber ? styles.num : styles.clip} ${column.className ?? ''}`;
    // Narrow screens hide the headings; a page may show them in the cells instead.
    const label = typeof column.head === 'string' ? { 'data-head': column.head } : {};
    if (column.isName) {
      return (
        <th key={column.id} scope="row" className={`${styles.name} ${className}`} {...label}>
          {column.cell(item)}
        </th>
      );
    }
    return (
      <td key={column.id} className={className} {...label}>
        {column.cell(item)}
      </td>
    );
  });
}

interface TableProps<T> {
  /** Accessible name and caption of the table. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  /** Whether the table is as wide as its section instead of the page. */
  readonly flush?: boolean;
  /** Whether to highlight a row. */
  readonly isAt?: (item: T) => boolean;
  /** Whether rows take two lines on narrow screens: the name with its neighbour, then the rest. */
  readonly twoLines?: boolean;
  readonly className?: string;
}

/** Table whose rows are all loaded. Use `List` for long lists. */
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

/** Scrolls a table that is too wide, and then accepts keyboard focus. */
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
    // The table inside may grow while the frame keeps its size.
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
