import { Link } from '@tanstack/react-router';
import { type Listed, useAccessList } from '../../api/access-list.ts';
import { access } from '../../api/client.ts';
import type { Schemas } from '../../api/generated/access.ts';
import { AccessList } from '../../components/access-list/AccessList.tsx';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { State } from '../../components/state/State.tsx';
import type { Column } from '../../components/table/columns.ts';
import { counted } from '../../format/number.ts';
import { Missing } from '../../shell/Missing.tsx';
import { IdentitiesFrame } from './IdentitiesFrame.tsx';
import styles from './identities.module.css';
import * as texts from './texts.ts';

const LIST = 'GET /identity/entity/id/';
const PATH = 'identity/entity/id';
const PAGE = 100;
const EVERY_MS = 10_000;
/** @limit aliases of an entity that a row shows, aliases -> the others are counted */
const MOST_ALIASES = 2;

type Row = Listed<Schemas['EntityInfo']>;

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'name',
    head: texts.name,
    isName: true,
    className: styles.nameColumn,
    cell: ({ key, info }) => (
      <Link to="/~access/identities/entity/$id" params={{ id: key }}>
        {info?.name ?? key}
      </Link>
    ),
  },
  {
    id: 'aliases',
    head: texts.aliases,
    className: styles.aliasColumn,
    cell: ({ info }) => info && <Aliases of={info.aliases} />,
  },
  {
    id: 'state',
    head: texts.state,
    className: styles.stateColumn,
    cell: ({ info }) => info?.disabled && <Disabled />,
  },
];

/** Entities: clients that have logged in. */
export function EntitiesPage() {
  const query = { list: 'true', limit: PAGE } as const;
  usePathLine({ request: access.request(LIST, { query }), command: `lockkeeper list ${PATH}` });
  const entities = useAccessList<Schemas['EntityInfo']>(
    (after) => access.query(LIST, { query: { ...query, after } }),
    PAGE,
    {
      everyMs: EVERY_MS,
    },
  );
  const { data } = entities.query;
  return (
    <IdentitiesFrame
      title={texts.entities}
      lede={texts.entitiesHint}
      beside={
        data && (
          <span className="soft">{`${counted(data.length, texts.entity, texts.entities2)}${entities.hasMore ? texts.andMore : ''}`}</span>
        )
      }
    >
      <AccessList
        list={entities}
        label={texts.entities}
        columns={COLUMNS}
        className={styles.list}
        missing={<Missing capability="list" path={PATH} />}
        empty={
          <Empty title={texts.noEntitiesYet} command="lockkeeper write auth/cert/login">
            {texts.theFirstLoginWith}
          </Empty>
        }
      />
    </IdentitiesFrame>
  );
}

/** A disabled entity cannot log in, and the server refuses its tokens. */
export function Disabled() {
  return (
    <State icon="gate-shut" is="bad">
      {texts.disabled}
    </State>
  );
}

function Aliases({ of: all }: { readonly of: Schemas['EntityInfo']['aliases'] }) {
  const more = all.length - MOST_ALIASES;
  return (
    <>
      {all.slice(0, MOST_ALIASES).map(({ id, name, mount_path: path }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          {name} <span className="soft">{texts.at(path)}</span>
        </span>
      ))}
      {more > 0 && <span className="soft"> {texts.andMore2(more)}</span>}
    </>
  );
}
