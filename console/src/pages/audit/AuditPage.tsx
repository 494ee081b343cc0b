import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { access } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { Empty } from '../../components/faces/Faces.tsx';
import { List, ListBones } from '../../components/list/List.tsx';
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

const READ = 'GET /sys/audit-record';
/** Rows before the end at which older ones are asked for. */
const AHEAD = 20;

const route = getRouteApi('/signed-in/~server/audit');

/** Who asked for what, and what came of it. It is read when somebody says so: each read is on record itself. */
export function AuditPage() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/~server/audit' });
  const { record, at, ...filters } = search;
  const key = JSON.stringify(filters);
  const [now, setNow] = useState(Date.now);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the filters are told by their text
  const query = useMemo(() => questionOf(filters, now), [key, now]);
  usePlace([{ label: 'Server' }, { label: 'Audit record' }]);
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
  const bones = <ListBones label="Audit record" columns={columns} className={styles.list ?? ''} />;
  return (
    <>
      <PageHead
        title="Audit record"
        beside={last && <span className="soft">of {last.node}</span>}
        lede="Who asked for what, and what came of it. Secrets are in it as hashes only."
        actions={<Button onClick={() => setNow(Date.now())}>{list.isFetching ? 'Reading…' : 'Read it again'}</Button>}
      />
      <Sinks />
      <AuditFilters search={filters} onChange={change} />
      <div className={record ? styles.beside : ''}>
        {record && <RecordSheet id={record} at={at} onClose={() => change({})} onFilter={(more) => change(more)} />}
        <div>
          <Answered
            query={list}
            what="The audit record"
            missing={<code>read and sudo on sys/audit-record</code>}
            bones={bones}
          >
            {() =>
              rows.length === 0 && !list.hasNextPage ? (
                <Nothing isFiltered={key !== '{}'} onClear={() => void navigate({ search: {} })} />
              ) : (
                <>
                  <List<AuditRecord>
                    label="Audit record, newest first"
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
                    {last?.looked_back_to && <span>Read back to {exact(last.looked_back_to)}.</span>}
                    {list.hasNextPage ? (
                      <Button look="small" onClick={onward}>
                        {list.isFetchingNextPage ? 'Reading…' : 'Read further back'}
                      </Button>
                    ) : (
                      <span>
                        {last && last.compressed.length > 0 ? older(last.compressed) : 'That is all there is.'}
                      </span>
                    )}
                  </p>
                </>
              )
            }
          </Answered>
        </div>
      </div>
    </>
  );
}

const older = (names: readonly string[]): string =>
  `What is older is compressed, and not read: ${names.slice(0, 3).join(', ')}${names.length > 3 ? ' …' : ''}`;

function Nothing({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  return (
    <Empty
      title={isFiltered ? 'Nothing on record fits' : 'Nothing is on record yet'}
      action={isFiltered && <Button onClick={onClear}>Show all of it</Button>}
    >
      {isFiltered ? 'No line of this node has all of this.' : 'Every request to both APIs will be here.'}
    </Empty>
  );
}
