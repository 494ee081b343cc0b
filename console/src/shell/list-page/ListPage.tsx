import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from '../../components/button/Button.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Pager } from '../../components/pager/Pager.tsx';
import type { Column } from '../../components/table/columns.ts';
import { Table } from '../../components/table/Table.tsx';
import { count, counted } from '../../format/number.ts';
import { useShortcuts } from '../../keyboard/shortcuts.ts';
import { PageHead } from '../PageHead.tsx';
import { PAGE_SIZE } from './paging.ts';

/** Response of a list of the workspace API. */
interface ListAnswer<Item> {
  readonly data: readonly Item[];
  readonly meta: { readonly pagination: { readonly 'total-count'?: number } };
}

interface ListPageProps<Item> {
  readonly title: string;
  readonly lede: string;
  /** Subject of the messages, and label of the table. */
  readonly label: string;
  /** Undefined if the user may not read the list. */
  readonly query: UseQueryResult<ListAnswer<Item>> | undefined;
  readonly columns: readonly Column<Item>[];
  /** Word for one item, shown after the total. */
  readonly unit?: string;
  /** Missing permission, shown if the server refuses. */
  readonly missing?: ReactNode;
  /** Shown instead of an empty table. */
  readonly empty?: ReactNode;
  /** Creation of an item. False if the user may not create one. */
  readonly creation:
    | false
    | {
        readonly button: string;
        /** Description of the shortcut. */
        readonly hint: string;
        readonly dialog: (close: () => void) => ReactNode;
      };
  /** Absent for a list that is loaded as a whole. */
  readonly pages?: { readonly page: number; readonly onPage: (page: number) => void };
  /** Shown between the heading and the table: tabs, a filter. */
  readonly children?: ReactNode;
}

/** Page with a list of the workspace API, and a button that creates an item. */
export function ListPage<Item extends { readonly id: string }>({
  title,
  lede,
  label,
  query,
  columns,
  unit,
  missing,
  empty,
  creation,
  pages,
  children,
}: ListPageProps<Item>) {
  const [isAsking, setAsking] = useState(false);
  useShortcuts(creation ? [{ keys: 'c', label: creation.hint, hint: true, run: () => setAsking(true) }] : []);
  const total = query?.data?.meta.pagination['total-count'] ?? 0;
  return (
    <>
      <PageHead
        title={title}
        beside={query?.data && <span className="soft">{unit ? counted(total, unit) : count(total)}</span>}
        lede={lede}
        actions={
          creation && (
            <Button look="primary" onClick={() => setAsking(true)}>
              {creation.button}
            </Button>
          )
        }
      />
      {children}
      {query && (
        <QueryResult query={query} what={label} missing={missing}>
          {({ data }) =>
            data.length === 0 && empty ? (
              empty
            ) : (
              <>
                <Table label={label} columns={columns} items={data} keyOf={({ id }) => id} twoLines />
                {pages && <Pager page={pages.page} size={PAGE_SIZE} total={total} onPage={pages.onPage} />}
              </>
            )
          }
        </QueryResult>
      )}
      {creation && isAsking && creation.dialog(() => setAsking(false))}
    </>
  );
}
