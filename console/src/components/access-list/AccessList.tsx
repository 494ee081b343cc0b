import type { ReactNode } from 'react';
import type { Listed, useAccessList } from '../../api/access-list.ts';
import { Button } from '../button/Button.tsx';
import { QueryResult } from '../page-states/QueryResult.tsx';
import type { Column } from '../table/columns.ts';
import { Table } from '../table/Table.tsx';
import styles from './access-list.module.css';
import * as texts from './texts.ts';

interface AccessListProps<Info> {
  readonly list: ReturnType<typeof useAccessList<Info>>;
  /** Entries to show. Default: all. */
  readonly shown?: readonly Listed<Info>[] | undefined;
  /** Subject of the messages, and label of the table. */
  readonly label: string;
  readonly columns: readonly Column<Listed<Info>>[];
  readonly className?: string | undefined;
  /** Capability that is needed for the list. */
  readonly missing: ReactNode;
  /** Shown instead of an empty table. */
  readonly empty: ReactNode;
}

/** Table of a list of the access API, which is loaded page by page. */
export function AccessList<Info>({ list, shown, label, columns, className, missing, empty }: AccessListProps<Info>) {
  return (
    <>
      <QueryResult query={list.query} what={label} missing={missing}>
        {(all) => {
          const items = shown ?? all;
          if (items.length === 0) return empty;
          return (
            <Table label={label} columns={columns} items={items} keyOf={({ key }) => key} className={className ?? ''} />
          );
        }}
      </QueryResult>
      <More of={list} />
    </>
  );
}

/** Button that loads the next page of a list. */
export function More({ of: { hasMore, more, isFetchingMore } }: { readonly of: ReturnType<typeof useAccessList> }) {
  if (!hasMore) return null;
  return (
    <p className={styles.more}>
      <Button onClick={more}>{isFetchingMore ? texts.loading : texts.loadMore}</Button>
    </p>
  );
}
