import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type Listed, useAccessList } from '../../api/access-list.ts';
import { access } from '../../api/client.ts';
import type { Schemas } from '../../api/generated/access.ts';
import { More } from '../../components/access-list/AccessList.tsx';
import { buttonClass } from '../../components/button/Button.tsx';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
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
import * as texts from './texts.ts';

const NAMES = 'GET /sys/policies/acl/';
const DETAILED = 'GET /sys/policies/detailed/acl/';
const DETAILED_PATH = 'sys/policies/detailed/acl';
const PATH = 'sys/policies/acl';
/** Page sizes. A response with policy texts is limited to 1 MiB and therefore has fewer entries. */
const SIZES = { names: 500, detailed: 50 };

type Row = Listed<Schemas['AclPolicy']>;

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'name',
    head: texts.name,
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
    head: texts.purpose,
    className: styles.purposeColumn,
    cell: ({ key, info }) => (
      <span className="soft">{info ? purposeOf(info.policy) || (key === 'root' ? texts.fullAccess : '') : ''}</span>
    ),
  },
  {
    id: 'version',
    head: texts.version,
    isNumber: true,
    className: styles.versionColumn,
    cell: ({ info }) => info?.version,
  },
  {
    id: 'modified',
    head: texts.updated,
    isNumber: true,
    className: styles.writtenColumn,
    cell: ({ info }) => info?.modified && <Ago time={info.modified} />,
  },
];

const route = getRouteApi('/signed-in/~access/policies');

/** All policies by name, with their purpose if the token may read the texts. */
export function PoliciesPage() {
  const { q = '' } = route.useSearch();
  const navigate = useNavigate({ from: '/~access/policies' });
  const may = useMay([DETAILED_PATH, PATH, `${PATH}/+`]);
  const mayDetail = may(DETAILED_PATH, 'list');
  usePlace([{ label: texts.access }, { label: texts.policies }]);
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
  const list = isNamed ? names : detailed;
  const { query, hasMore } = list;
  const found = query.data?.filter(({ key }) => key.includes(q.toLowerCase()));
  return (
    <>
      <PageHead
        title={texts.policies}
        beside={
          query.data && (
            <span className="soft">
              {counted(query.data.length, texts.policy, texts.policies2)}
              {hasMore && texts.andMore}
            </span>
          )
        }
        actions={
          <>
            <Link className={buttonClass()} to="/~access/policies/explain">
              {texts.explain}
            </Link>
            {may(`${PATH}/+`, 'update', 'create') && (
              <Link className={buttonClass('primary')} to="/~access/policies/new">
                {texts.newPolicy}
              </Link>
            )}
          </>
        }
      />
      <QueryResult query={query} what={texts.policies} missing={<Missing capability="list" path={PATH} />}>
        {() => (
          <>
            <div className={styles.searched}>
              <Search
                label={texts.searchByName}
                placeholder={texts.name}
                text={q}
                onText={(text) => void navigate({ search: { q: text || undefined } as never, replace: true })}
              />
              {hasMore && q && (
                <span className="soft">
                  {texts.onlyTheAboveWereSearched(counted(query.data?.length ?? 0, texts.policy, texts.policies2))}
                </span>
              )}
            </div>
            {found && found.length > 0 ? (
              <Table
                label={texts.policies}
                columns={COLUMNS}
                items={found}
                keyOf={({ key }) => key}
                className={styles.list ?? ''}
              />
            ) : (
              <Empty
                title={q ? texts.noPolicyWithIn(q) : texts.noPoliciesYet}
                command="lockkeeper write sys/policies/acl/NAME policy=@NAME.hcl"
              >
                {texts.aPolicySaysWhat}
              </Empty>
            )}
            <More of={list} />
          </>
        )}
      </QueryResult>
    </>
  );
}
