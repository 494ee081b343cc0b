import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type Listed, useAccessList } from '../../api/access-list.ts';
import { access } from '../../api/client.ts';
import type { Schemas } from '../../api/generated/access.ts';
import { Button, buttonClass } from '../../components/button/Button.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { Empty } from '../../components/faces/Faces.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Search } from '../../components/search/Search.tsx';
import type { Column } from '../../components/table/columns.ts';
import { Table } from '../../components/table/Table.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { counted } from '../../format/number.ts';
import { Missing } from '../../shell/Missing.tsx';
import { useMay } from '../../shell/may.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { purposeOf } from './marks.ts';
import styles from './policies.module.css';

const NAMES = 'GET /sys/policies/acl/';
const DETAILED = 'GET /sys/policies/detailed/acl/';
const DETAILED_PATH = 'sys/policies/detailed/acl';
const PATH = 'sys/policies/acl';
/** Of one page. With texts an answer has at most 1 MiB, so there are fewer. */
const SIZES = { names: 500, detailed: 50 };

type Row = Listed<Schemas['AclPolicy']>;

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'name',
    head: 'Name',
    isName: true,
    className: styles.nameColumn,
    cell: ({ key }) => (
      <Link to="/~access/policies/acl/$name" params={{ name: key }}>
        {key}
      </Link>
    ),
  },
  {
    id: 'purpose',
    head: 'What it says it is for',
    className: styles.purposeColumn,
    cell: ({ key, info }) => (
      <span className="soft">{info ? purposeOf(info.policy) || (key === 'root' ? 'May do everything' : '') : ''}</span>
    ),
  },
  {
    id: 'version',
    head: 'Version',
    isNumber: true,
    className: styles.versionColumn,
    cell: ({ info }) => info?.version,
  },
  {
    id: 'modified',
    head: 'Written',
    isNumber: true,
    className: styles.writtenColumn,
    cell: ({ info }) => info?.modified && <Ago time={info.modified} />,
  },
];

const route = getRouteApi('/signed-in/~access/policies');

/** All policies by name, with what each says of itself where the token may see their texts. */
export function PoliciesPage() {
  const { q = '' } = route.useSearch();
  const navigate = useNavigate({ from: '/~access/policies' });
  const may = useMay([DETAILED_PATH, PATH, `${PATH}/+`]);
  const mayDetail = may(DETAILED_PATH, 'list');
  usePlace([{ label: 'Access' }, { label: 'Policies' }]);
  usePathLine({ request: access.request(NAMES, { query: { list: 'true' } }), command: `lockkeeper list ${PATH}` });
  const detailed = useAccessList<Schemas['AclPolicy']>(
    (after) => access.query(DETAILED, { query: { list: 'true', limit: SIZES.detailed, after } }),
    SIZES.detailed,
    { isOn: mayDetail },
  );
  const isNamed = !mayDetail || detailed.query.isError;
  const names = useAccessList<Schemas['AclPolicy']>(
    (after) => access.query(NAMES, { query: { list: 'true', limit: SIZES.names, after } }),
    SIZES.names,
    { isOn: isNamed },
  );
  const { query, hasMore, more, isFetchingMore } = isNamed ? names : detailed;
  const found = query.data?.filter(({ key }) => key.includes(q.toLowerCase()));
  return (
    <>
      <PageHead
        title="Policies"
        beside={
          query.data && (
            <span className="soft">
              {counted(query.data.length, 'policy', 'policies')}
              {hasMore && ' and more'}
            </span>
          )
        }
        actions={
          <>
            <Link className={buttonClass()} to="/~access/policies/explain">
              Explain
            </Link>
            {may(`${PATH}/+`, 'update', 'create') && (
              <Link className={buttonClass('primary')} to="/~access/policies/new">
                New policy
              </Link>
            )}
          </>
        }
      />
      <Answered query={query} what="Policies" missing={<Missing capability="list" path={PATH} />}>
        {() => (
          <>
            <div className={styles.searched}>
              <Search
                label="Search by name"
                placeholder="Name"
                text={q}
                onText={(text) => void navigate({ search: { q: text || undefined } as never, replace: true })}
              />
              {hasMore && q && (
                <span className="soft">
                  Searched the {counted(query.data?.length ?? 0, 'policy', 'policies')} above
                </span>
              )}
            </div>
            {found && found.length > 0 ? (
              <Table
                label="Policies"
                columns={COLUMNS}
                items={found}
                keyOf={({ key }) => key}
                className={styles.list ?? ''}
              />
            ) : (
              <Empty
                title={q ? `No policy with “${q}” in its name` : 'No policy'}
                command="lockkeeper write sys/policies/acl/NAME policy=@NAME.hcl"
              >
                A policy says what tokens that carry it may do.
              </Empty>
            )}
            {hasMore && (
              <p className={styles.more}>
                <Button onClick={more}>{isFetchingMore ? 'Reading…' : 'More'}</Button>
              </p>
            )}
          </>
        )}
      </Answered>
    </>
  );
}
