import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { count } from '../../format/number.ts';
import { useShortcuts } from '../../keyboard/shortcuts.ts';
import { SkeletonLine } from '../page-states/Skeleton.tsx';
import type { Column } from '../table/columns.ts';
import { Cells, TableHead } from '../table/Table.tsx';
import styles from '../table/table.module.css';
import * as texts from './texts.ts';

/** Rows rendered above and below the visible ones. */
const OVERSCAN = 12;
const NARROW = '(max-width: 600px)';

interface ListProps<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly total: number;
  /** Returns a row; undefined while it loads. */
  readonly row: (index: number) => T | undefined;
  readonly keyOf: (item: T) => string;
  /** Called with the range of visible rows. */
  readonly onShow: (from: number, to: number) => void;
  /** Called for Enter on the current row. */
  readonly onOpen: (item: T) => void;
  /** Called for `x` on the current row, in lists with selection. */
  readonly onMark?: (item: T) => void;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  readonly className?: string;
}

/** Virtualized table of any length: the page scrolls, and only visible rows are in the document. */
export function List<T>({
  label,
  columns,
  total,
  row,
  keyOf,
  onShow,
  onOpen,
  onMark,
  sort,
  onSort,
  className = '',
}: ListProps<T>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const margin = useOffset(body);
  const height = useRowHeight();
  const virtual = useWindowVirtualizer({
    count: total,
    estimateSize: () => height,
    scrollMargin: margin,
    overscan: OVERSCAN,
  });
  const [at, setAt] = useState(-1);
  const shown = virtual.getVirtualItems();
  const [from = 0, to = 0] = [shown[0]?.index, shown.at(-1)?.index];

  // biome-ignore lint/correctness/useExhaustiveDependencies: another row height moves all rows
  useEffect(() => virtual.measure(), [height]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the visible rows change
  useEffect(() => onShow(from, to), [from, to]);

  const go = (next: number) => {
    const index = Math.max(0, Math.min(total - 1, next));
    setAt(index);
    virtual.scrollToIndex(index, { align: 'auto' });
  };
  useShortcuts([
    { keys: 'j', label: texts.nextRow, hint: true, run: () => go(at + 1) },
    { keys: 'k', label: texts.previousRow, hint: true, run: () => go(at < 0 ? 0 : at - 1) },
    ...(onMark
      ? [
          {
            keys: 'x',
            label: texts.select,
            hint: true,
            run: () => {
              const item = row(at);
              if (item) onMark(item);
            },
          },
        ]
      : []),
    {
      keys: 'Enter',
      label: texts.open,
      hint: true,
      run: () => {
        const item = row(at);
        if (item) onOpen(item);
      },
    },
  ]);

  const above = (shown[0]?.start ?? margin) - margin;
  const below = virtual.getTotalSize() - (shown.at(-1)?.end ?? margin) + margin;
  return (
    <div className={styles.edge}>
      <table className={`${styles.table} ${styles.fixed} ${styles.twoLines} ${className}`} aria-rowcount={total + 1}>
        <caption className="sr">
          {label}: {count(total)}
        </caption>
        <TableHead columns={columns} sort={sort} onSort={onSort} />
        <tbody ref={body}>
          <Space height={above} columns={columns.length} />
          {shown.map(({ index }) => {
            const item = row(index);
            return (
              <tr
                key={item ? keyOf(item) : index}
                aria-rowindex={index + 2}
                {...(index === at && { className: styles.at, 'aria-current': true })}
              >
                {item ? <Cells columns={columns} item={item} /> : <Bones columns={columns} at={index} />}
              </tr>
            );
          })}
          <Space height={below} columns={columns.length} />
        </tbody>
      </table>
    </div>
  );
}

/** Takes the height of the rows that are not rendered. */
function Space({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null;
  return (
    <tr className={styles.space}>
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}

function Bones<T>({ columns, at }: { readonly columns: readonly Column<T>[]; readonly at: number }) {
  return columns.map((column, index) => (
    <td key={column.id} className={column.className}>
      <SkeletonLine at={at + index} />
    </td>
  ));
}

/** Placeholder for a list that is loading. */
export function ListBones<T>({
  label,
  columns,
  className = '',
}: Pick<ListProps<T>, 'label' | 'columns' | 'className'>) {
  return (
    <div className={styles.edge} aria-hidden="true">
      <table className={`${styles.table} ${styles.fixed} ${styles.twoLines} ${className}`}>
        <caption className="sr">{label}</caption>
        <TableHead columns={columns.map(({ sort: _, ...column }) => column as Column<T>)} />
        <tbody>
          {Array.from({ length: 12 }, (_, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: all rows are equal
            <tr key={at}>
              <Bones columns={columns} at={at} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Distance of the first row from the top of the page, pixels. */
function useOffset(ref: React.RefObject<HTMLElement | null>): number {
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => setOffset(Math.round(element.getBoundingClientRect().top + scrollY));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [ref]);
  return offset;
}

/** Row height, pixels: 32 with a mouse, 44 on touch screens, 61 for two lines on narrow screens. */
function useRowHeight(): number {
  const [height, setHeight] = useState(readRowHeight);
  useEffect(() => {
    const query = matchMedia(NARROW);
    const change = () => setHeight(readRowHeight());
    query.addEventListener('change', change);
    return () => query.removeEventListener('change', change);
  }, []);
  return height;
}

function readRowHeight(): number {
  if (matchMedia(NARROW).matches) return 61;
  return matchMedia('(pointer: coarse)').matches ? 44 : 32;
}
