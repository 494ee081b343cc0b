import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { type Listed, useAccessList } from '../../api/access-list.ts';
import { access } from '../../api/client.ts';
import type { Schemas } from '../../api/generated/access.ts';
import { AccessList } from '../../components/access-list/AccessList.tsx';
import { Button, buttonClass } from '../../components/button/Button.tsx';
import { Tags } from '../../components/chip/Chip.tsx';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import type { Column } from '../../components/table/columns.ts';
import { counted } from '../../format/number.ts';
import { Missing } from '../../shell/Missing.tsx';
import { useMay } from '../../shell/may.ts';
import { Left } from './Left.tsx';
import { TokensFrame } from './TokensFrame.tsx';
import * as texts from './texts.ts';
import styles from './tokens.module.css';

const LIST = 'GET /auth/token/accessors/';
const ACCESSORS = 'auth/token/accessors';
const LOOKUP = 'auth/token/lookup-accessor';
const CREATE = ['auth/token/create', 'auth/token/create-orphan'] as const;
const PAGE = 100;
/** Polling interval of the token list, milliseconds. */
const EVERY_MS = 10_000;
/** @limit policies of a token that a row shows, policies -> the row shows the number of further policies */
const MOST_POLICIES = 3;

type Row = Listed<Schemas['ListedToken']>;

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'name',
    head: texts.name,
    isName: true,
    className: styles.nameColumn,
    cell: ({ key, info }) => (
      <Link to="/~access/tokens/$accessor" params={{ accessor: key }}>
        {info?.display_name || key}
      </Link>
    ),
  },
  {
    id: 'policies',
    head: texts.policies,
    cell: ({ info }) => info && <Tags names={info.policies} most={MOST_POLICIES} />,
  },
  {
    id: 'path',
    head: texts.createdAt,
    className: styles.pathColumn,
    cell: ({ info }) => info && <code>{info.path}</code>,
  },
  { id: 'accessor', head: texts.accessor2, className: styles.accessorColumn, cell: ({ key }) => <code>{key}</code> },
  {
    id: 'ends',
    head: texts.expiresIn,
    isNumber: true,
    className: styles.endsColumn,
    cell: ({ info }) => info && <Left seconds={info.expire_time === null ? undefined : info.ttl} />,
  },
];

/** Lists all tokens by accessor. Details come with the list if the user may look up accessors. */
export function TokensPage() {
  const may = useMay([ACCESSORS, LOOKUP, ...CREATE]);
  const mayDetail = may(LOOKUP, 'update');
  const query = { list: 'true', limit: PAGE, ...(mayDetail && { detail: true }) } as const;
  usePathLine({ request: access.request(LIST, { query }), command: `lockkeeper list ${ACCESSORS}` });
  const tokens = useAccessList<Schemas['ListedToken']>(
    (after) => access.query(LIST, { query: { ...query, after } }),
    PAGE,
    {
      everyMs: EVERY_MS,
    },
  );
  const live = tokens.query.data?.filter(({ info }) => !info?.ended);
  return (
    <TokensFrame
      title={texts.tokens}
      beside={
        live && (
          <span className="soft">{`${counted(live.length, texts.token)}${tokens.hasMore ? texts.orMore2 : ''}`}</span>
        )
      }
      actions={
        CREATE.some((path) => may(path, 'update')) && (
          <Link className={buttonClass('primary')} to="/~access/tokens/new">
            {texts.newToken}
          </Link>
        )
      }
    >
      {mayDetail && <Finder />}
      <AccessList
        list={tokens}
        shown={live}
        label={texts.tokens}
        columns={COLUMNS}
        className={styles.list}
        missing={<Missing capability="list" path={ACCESSORS} />}
        empty={
          <Empty title={texts.noTokensYet} command="lockkeeper write auth/token/create policies=NAME">
            {texts.loginsCreateTokensYou}
          </Empty>
        }
      />
    </TokensFrame>
  );
}

/** Opens a token by its accessor. */
function Finder() {
  const [text, setText] = useState('');
  const navigate = useNavigate();
  const find = (event: FormEvent) => {
    event.preventDefault();
    const accessor = text.trim();
    if (accessor !== '') void navigate({ to: '/~access/tokens/$accessor', params: { accessor } });
  };
  return (
    <form className={styles.find} onSubmit={find}>
      <input
        type="search"
        aria-label={texts.accessor2}
        placeholder={texts.accessor2}
        value={text}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit">{texts.lookUp}</Button>
    </form>
  );
}
