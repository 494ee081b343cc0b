import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Chips, CountChip } from '../../components/chip/Chip.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { Empty } from '../../components/faces/Faces.tsx';
import { List, ListBones } from '../../components/list/List.tsx';
import { PAGE, useWindowed } from '../../components/list/windowed.ts';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Search } from '../../components/search/Search.tsx';
import { Secret } from '../../components/secret/Secret.tsx';
import { counted } from '../../format/number.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { columnsOf, type SiteUser } from './columns.tsx';
import { NewUserDialog } from './NewUserDialog.tsx';
import styles from './users.module.css';

const LIST = 'GET /admin/users';
const EVERY_MS = 10_000;
/** What the list is narrowed to, and the filter of the API for it. */
const KINDS = { administrators: 'filter[admin]', suspended: 'filter[suspended]' } as const;

const route = getRouteApi('/signed-in/~server/users');

/** A token that was just made, and for whom. */
interface Issued {
  readonly username: string;
  readonly text: string;
}

/** The people of the installation, for its administrators. */
export function UsersPage() {
  const { name = '', show } = route.useSearch();
  const navigate = useNavigate({ from: '/~server/users' });
  const [isMaking, setMaking] = useState(false);
  const [issued, setIssued] = useState<Issued>();
  const kind = show === 'administrators' || show === 'suspended' ? show : undefined;
  const query = { ...(name && { q: name }), ...(kind && { [KINDS[kind]]: 'true' as const }) };
  usePlace([{ label: 'Server' }, { label: 'Users' }]);
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
        title="Users"
        beside={list.first.data && <span className="soft">{counted(list.total, 'user')}</span>}
        lede="Everybody who signs in to workspaces with tokens of their own. What they may do there, organizations say."
        actions={
          list.first.data && (
            <Button look="primary" onClick={() => setMaking(true)}>
              New user…
            </Button>
          )
        }
      />
      {issued && (
        <div className={styles.issued}>
          <Secret what={`token of ${issued.username}`} text={issued.text} onClose={() => setIssued(undefined)} />
        </div>
      )}
      <div className={styles.filters}>
        <Search
          label="Find a user"
          placeholder="Part of a name or address"
          text={name}
          onText={(next) => void navigate({ search: (before) => ({ ...before, name: next }), replace: true })}
        />
        <Chips label="Quick filters">
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
      <Answered
        query={list.first}
        what="Users"
        missing="to be a site administrator: whoever is one, or the operator, can make you one"
        bones={<ListBones label="Users" columns={columns} className={styles.list ?? ''} />}
      >
        {() =>
          list.total === 0 ? (
            <Empty
              title="No user fits"
              action={isFiltered && <Button onClick={() => void navigate({ search: {} })}>Show all users</Button>}
            >
              Nobody has all of this.
            </Empty>
          ) : (
            <List<SiteUser>
              label="Users"
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
      </Answered>
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
