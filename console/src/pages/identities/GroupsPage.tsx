import { Link } from '@tanstack/react-router';
import { type Listed, useAccessList } from '../../api/access-list.ts';
import { access } from '../../api/client.ts';
import type { Schemas } from '../../api/generated/access.ts';
import { Button } from '../../components/button/Button.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { Empty } from '../../components/faces/Faces.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import type { Column } from '../../components/table/columns.ts';
import { Table } from '../../components/table/Table.tsx';
import { count, counted } from '../../format/number.ts';
import { Missing } from '../../shell/Missing.tsx';
import { IdentitiesFrame } from './IdentitiesFrame.tsx';
import styles from './identities.module.css';

const LIST = 'GET /identity/group/id/';
const PATH = 'identity/group/id';
const PAGE = 100;

type Row = Listed<Schemas['GroupInfo']>;

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'name',
    head: 'Name',
    isName: true,
    className: styles.nameColumn,
    cell: ({ key, info }) => (
      <Link to="/~access/identities/group/$id" params={{ id: key }}>
        {info?.name ?? key}
      </Link>
    ),
  },
  { id: 'entities', head: 'Entities', isNumber: true, cell: ({ info }) => info && count(info.num_member_entities) },
  { id: 'parents', head: 'Member of', isNumber: true, cell: ({ info }) => info && count(info.num_parent_groups) },
];

/** Entities that belong together. */
export function GroupsPage() {
  const query = { list: 'true', limit: PAGE } as const;
  usePathLine({ request: access.request(LIST, { query }), command: `lockkeeper list ${PATH}` });
  const groups = useAccessList<Schemas['GroupInfo']>(
    (after) => access.query(LIST, { query: { ...query, after } }),
    PAGE,
  );
  const { data } = groups.query;
  return (
    <IdentitiesFrame title="Groups" beside={data && <span className="soft">{counted(data.length, 'group')}</span>}>
      <Answered query={groups.query} what="Groups" missing={<Missing capability="list" path={PATH} />}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="No group yet" command="lockkeeper write identity/group name=NAME policies=…">
              A group gives its policies to every entity in it.
            </Empty>
          ) : (
            <Table
              label="Groups"
              columns={COLUMNS}
              items={all}
              keyOf={({ key }) => key}
              className={styles.list ?? ''}
            />
          )
        }
      </Answered>
      {groups.hasMore && (
        <p className={styles.more}>
          <Button onClick={groups.more}>{groups.isFetchingMore ? 'Reading…' : 'More'}</Button>
        </p>
      )}
    </IdentitiesFrame>
  );
}
