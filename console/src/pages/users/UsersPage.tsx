import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Chips, CountChip } from '../../components/chip/Chip.tsx';
import { List, ListBones } from '../../components/list/List.tsx';
import { PAGE, useWindowed } from '../../components/list/windowed.ts';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Search } from '../../components/search/Search.tsx';
import { Secret } from '../../components/secret/Secret.tsx';
import { counted } from '../../format/number.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { columnsOf, type SiteUser } from './columns.tsx';
import { NewUserDialog } from './NewUserDialog.tsx';
import * as texts from './texts.ts';
import styles from './users.module.css';

const LIST = 'GET /admin/users';
const EVERY_MS = 10_000;
/** Filters of the list, and the query parameter of each. */
const KINDS = { administrators: 'filter[admin]', suspended: 'filter[suspended]' } as const;

const route = getRouteApi('/signed-in/~server/users');

/** A token that was just created, and the name of its user. */
interface Issued {
  readonly username: string;
  readonly text: string;
}

/** Users of this server, for site administrators. */
export function UsersPage() {
  const { name = '', show } = route.useSearch();
  const navigate = useNavigate({ from: '/~server/users' });
  const [isMaking, setMaking] = useState(false);
  const [issued, setIssued] = useState<Issued>();
  const kind = show === 'administrators' || show === 'suspended' ? show : undefined;
  const query = { ...(name && { q: name }), ...(kind && { [KINDS[kind]]: 'true' as const }) };
  usePlace([{ label: texts.server }, { label: texts.users }]);
  usePathLine({ request: workspaces.request(LIST, { query }), command: 'lockkeeper api GET /api/v2/admin/users' });
  const list = useWindowed(
    (page) => workspaces.query(LIST, { query: { ...query, 'page[number]': String(page), 'page[size]': String(PAGE) } }),
    EVERY_MS,
  );
  const columns = columnsOf((username, text) => setIssued({ username, text }));
  const isFiltered = name !== '' || kind !== undefined;
  return (
    <>
      <PageHead
        title={texts.users}
        beside={list.first.data && <span className="soft">{counted(list.total, texts.user)}</span>}
        lede={texts.aUserIsA}
        actions={
          list.first.data && (
            <Button look="primary" onClick={() => setMaking(true)}>
              {texts.newUser2}
            </Button>
          )
        }
      />
      {issued && (
        <div className={styles.issued}>
          <Secret what={texts.tokenOf(issued.username)} text={issued.text} onClose={() => setIssued(undefined)} />
        </div>
      )}
      <div className={styles.filters}>
        <Search
          label={texts.findAUser}
          placeholder={texts.partOfAName}
          text={name}
          onText={(next) => void navigate({ search: (before) => ({ ...before, name: next }), replace: true })}
        />
        <Chips label={texts.quickFilters}>
          {(Object.keys(KINDS) as (keyof typeof KINDS)[]).map((one) => (
            <KindChip
              key={one}
              kind={one}
              on={kind === one}
              onToggle={() => void navigate({ search: (before) => ({ ...before, show: kind === one ? '' : one }) })}
            />
          ))}
        </Chips>
      </div>
      <QueryResult
        query={list.first}
        what={texts.users}
        missing={texts.theSiteAdministratorRole}
        bones={<ListBones label={texts.users} columns={columns} className={styles.list ?? ''} />}
      >
        {() =>
          list.total === 0 ? (
            <Empty
              title={texts.noUsersMatch}
              action={isFiltered && <Button onClick={() => void navigate({ search: {} })}>{texts.showAllUsers}</Button>}
            >
              {texts.changeTheSearchOr}
            </Empty>
          ) : (
            <List<SiteUser>
              label={texts.users}
              columns={columns}
              className={styles.list ?? ''}
              total={list.total}
              row={(index) => list.row(index)?.item}
              keyOf={({ id }) => id}
              onShow={list.show}
              onOpen={() => {}}
              sort=""
              onSort={() => {}}
            />
          )
        }
      </QueryResult>
      {isMaking && (
        <NewUserDialog
          onClose={() => setMaking(false)}
          onMade={(username, text) => {
            setMaking(false);
            setIssued({ username, text });
          }}
        />
      )}
    </>
  );
}

function KindChip({ kind, on, onToggle }: { kind: keyof typeof KINDS; on: boolean; onToggle: () => void }) {
  const list = useWindowed(
    () => workspaces.query(LIST, { query: { [KINDS[kind]]: 'true', 'page[size]': '1' } }),
    EVERY_MS * 3,
  );
  return <CountChip label={kind} count={list.first.data && String(list.total)} on={on} onToggle={onToggle} />;
}
