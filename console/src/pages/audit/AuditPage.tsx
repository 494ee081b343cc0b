import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { access } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { List, ListBones } from '../../components/list/List.tsx';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { exact } from '../../format/time.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { AuditFilters } from './AuditFilters.tsx';
import styles from './audit.module.css';
import { columnsOf } from './columns.tsx';
import { RecordSheet } from './RecordSheet.tsx';
import type { AuditRecord } from './record.ts';
import { Sinks } from './Sinks.tsx';
import { type AuditChange, commandOf, questionOf, readSearch } from './search.ts';
import * as texts from './texts.ts';

const READ = 'GET /sys/audit-record';
/** Number of rows before the end at which older entries are loaded. */
const AHEAD = 20;

const route = getRouteApi('/signed-in/~server/audit');

/** Audit log of one node. Loaded on request only and never polled, because each read is audited too. */
export function AuditPage() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/~server/audit' });
  const { record, at, ...filters } = search;
  const key = JSON.stringify(filters);
  const [now, setNow] = useState(Date.now);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text identifies the filters
  const query = useMemo(() => questionOf(filters, now), [key, now]);
  usePlace([{ label: texts.server }, { label: texts.auditLog }]);
  usePathLine({ request: access.request(READ, { query }), command: commandOf(query) });
  const list = useInfiniteQuery({
    queryKey: [...access.key(READ), query],
    queryFn: ({ pageParam: after, signal }) =>
      access.query(READ, { query: { ...query, ...(after && { after }) } }).queryFn({ signal }),
    initialPageParam: '',
    getNextPageParam: ({ data }) => data.next ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const rows = list.data?.pages.flatMap(({ data }) => data.records as unknown as AuditRecord[]) ?? [];
  const last = list.data?.pages.at(-1)?.data;
  const change = (more: AuditChange) => void navigate({ search: readSearch({ ...filters, ...more }) });
  const columns = useMemo(() => columnsOf(search), [search]);
  const onward = () => {
    if (list.hasNextPage && !list.isFetching) void list.fetchNextPage();
  };
  const bones = <ListBones label={texts.auditLog} columns={columns} className={styles.list ?? ''} />;
  return (
    <>
      <PageHead
        title={texts.auditLog}
        beside={last && <span className="soft">{texts.node(last.node)}</span>}
        lede={texts.requestsToBothApis}
        actions={<Button onClick={() => setNow(Date.now())}>{list.isFetching ? texts.loading : texts.reload}</Button>}
      />
      <Sinks />
      <AuditFilters search={filters} onChange={change} />
      <div className={record ? styles.beside : ''}>
        {record && <RecordSheet id={record} at={at} onClose={() => change({})} onFilter={(more) => change(more)} />}
        <div>
          <QueryResult
            query={list}
            what={texts.theAuditLog}
            missing={<code>read and sudo on sys/audit-record</code>}
            bones={bones}
          >
            {() =>
              rows.length === 0 && !list.hasNextPage ? (
                <Nothing isFiltered={key !== '{}'} onClear={() => void navigate({ search: {} })} />
              ) : (
                <>
                  <List<AuditRecord>
                    label={texts.auditLogNewestFirst}
                    columns={columns}
                    className={`${styles.list} ${record ? styles.short : ''}`}
                    total={rows.length}
                    row={(index) => rows[index]}
                    keyOf={({ request_id: id, type, time }) => `${id}${type}${time}`}
                    onShow={(_, to) => {
                      if (rows.length > 0 && to >= rows.length - AHEAD) onward();
                    }}
                    onOpen={(row) => change({ record: row.request_id ?? '', at: row.time })}
                    sort=""
                    onSort={() => {}}
                  />
                  <p className={styles.end} role="status">
                    {last?.looked_back_to && <span>{texts.searchedBackTo(exact(last.looked_back_to))}</span>}
                    {list.hasNextPage ? (
                      <Button look="small" onClick={onward}>
                        {list.isFetchingNextPage ? texts.loading : texts.loadOlderEntries}
                      </Button>
                    ) : (
                      <span>{last && last.compressed.length > 0 ? older(last.compressed) : texts.noOlderEntries}</span>
                    )}
                  </p>
                </>
              )
            }
          </QueryResult>
        </div>
      </div>
    </>
  );
}

const older = (names: readonly string[]): string =>
  texts.olderEntriesAreIn(names.slice(0, 3).join(', '), names.length > 3 ? ' …' : '');

function Nothing({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  return (
    <Empty
      title={isFiltered ? texts.noMatchingEntries : texts.noEntriesYet}
      action={isFiltered && <Button onClick={onClear}>{texts.showAllEntries}</Button>}
    >
      {isFiltered ? texts.noEntryOfThis : texts.everyRequestToBoth}
    </Empty>
  );
}
