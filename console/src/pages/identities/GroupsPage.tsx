import { Link } from '@tanstack/react-router';
import { type Listed, useAccessList } from '../../api/access-list.ts';
import { access } from '../../api/client.ts';
import type { Schemas } from '../../api/generated/access.ts';
import { AccessList } from '../../components/access-list/AccessList.tsx';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import type { Column } from '../../components/table/columns.ts';
import { count, counted } from '../../format/number.ts';
import { Missing } from '../../shell/Missing.tsx';
import { IdentitiesFrame } from './IdentitiesFrame.tsx';
import styles from './identities.module.css';
import * as texts from './texts.ts';

const LIST = 'GET /identity/group/id/';
const PATH = 'identity/group/id';
const PAGE = 100;

type Row = Listed<Schemas['GroupInfo']>;

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'name',
    head: texts.name,
    isName: true,
    className: styles.nameColumn,
    cell: ({ key, info }) => (
      <Link to="/~access/identities/group/$id" params={{ id: key }}>
        {info?.name ?? key}
      </Link>
    ),
  },
  { id: 'entities', head: texts.entities, isNumber: true, cell: ({ info }) => info && count(info.num_member_entities) },
  {
    id: 'parents',
    head: texts.parentGroups,
    isNumber: true,
    cell: ({ info }) => info && count(info.num_parent_groups),
  },
];

/** Groups of entities. */
export function GroupsPage() {
  const query = { list: 'true', limit: PAGE } as const;
  usePathLine({ request: access.request(LIST, { query }), command: `lockkeeper list ${PATH}` });
  const groups = useAccessList<Schemas['GroupInfo']>(
    (after) => access.query(LIST, { query: { ...query, after } }),
    PAGE,
  );
  const { data } = groups.query;
  return (
    <IdentitiesFrame
      title={texts.groups}
      lede={texts.groupsHint}
      beside={data && <span className="soft">{counted(data.length, texts.group4)}</span>}
    >
      <AccessList
        list={groups}
        label={texts.groups}
        columns={COLUMNS}
        className={styles.list}
        missing={<Missing capability="list" path={PATH} />}
        empty={
          <Empty title={texts.noGroupsYet} command="lockkeeper write identity/group name=NAME policies=…">
            {texts.aGroupGivesIts}
          </Empty>
        }
      />
    </IdentitiesFrame>
  );
}
