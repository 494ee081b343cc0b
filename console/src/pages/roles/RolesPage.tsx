import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type AccessSchemas, access } from '../../api/client.ts';
import { serverNow } from '../../api/clock.ts';
import { buttonClass } from '../../components/button/Button.tsx';
import { Tags } from '../../components/chip/Chip.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { Empty } from '../../components/faces/Faces.tsx';
import { List } from '../../components/list/List.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Search } from '../../components/search/Search.tsx';
import type { Column } from '../../components/table/columns.ts';
import { Ago } from '../../components/time/Time.tsx';
import { count, counted } from '../../format/number.ts';
import { exact, long } from '../../format/time.ts';
import { useMay } from '../../shell/may.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import styles from './roles.module.css';
import { LIST, type Role, useRoles } from './use-roles.ts';

const route = getRouteApi('/signed-in/~access/roles');

/** The roles of a mount: whom each lets in, and what their tokens may. */
export function RolesPage() {
  const { mount = 'cert', name = '' } = route.useSearch();
  const navigate = useNavigate({ from: '/~access/roles' });
  const may = useMay([`auth/${mount}/certs/+`]);
  const roles = useRoles(mount, name);
  usePlace([{ label: 'Access' }, { label: `auth/${mount}` }, { label: 'Roles' }]);
  const path = { cert_mount_path: mount };
  usePathLine({
    request: access.request(LIST, { path, query: { list: 'true' } }),
    command: `lockkeeper list auth/${mount}/certs`,
  });
  return (
    <>
      <PageHead
        title="Roles"
        lede={`Whom auth/${mount} lets in, and what their tokens may.`}
        actions={
          may(`auth/${mount}/certs/+`, 'create', 'update') && (
            <Link className={buttonClass('primary')} to="/~access/roles/~new" search={{ mount }}>
              New role
            </Link>
          )
        }
      />
      <Answered query={roles.first} what="The roles" missing={<code>list on auth/{mount}/certs</code>}>
        {() =>
          roles.count === 0 ? (
            <Empty title="No roles" command={`lockkeeper write auth/${mount}/certs/web certificate=@ca.pem`}>
              A role says whose certificates are let in. Without one nobody is.
            </Empty>
          ) : (
            <>
              <div className={styles.filter}>
                <Search
                  label="Filter by name"
                  placeholder="Part of a name"
                  text={name}
                  onText={(next) => void navigate({ search: (before) => ({ ...before, name: next }), replace: true })}
                />
                <p className="soft" role="status">
                  {counted(roles.total, 'role')}
                  {roles.total < roles.count && ` of ${count(roles.count)}`}
                </p>
              </div>
              <List<Role>
                label="Roles"
                columns={columnsOf(mount)}
                className={styles.list ?? ''}
                total={roles.total}
                row={roles.row}
                keyOf={(role) => role.name}
                onShow={roles.show}
                onOpen={(role) =>
                  void navigate({ to: '/~access/roles/$role', params: { role: role.name }, search: { mount } })
                }
                sort=""
                onSort={() => {}}
              />
            </>
          )
        }
      </Answered>
    </>
  );
}

const known = <T,>({ info }: Role, shown: (info: AccessSchemas['CertRoleInfo']) => T): T | undefined =>
  info === undefined || info === 'unreadable' ? undefined : shown(info);

const columnsOf = (mount: string): readonly Column<Role>[] => [
  {
    id: 'name',
    head: 'Name',
    isName: true,
    className: styles.name,
    cell: ({ name }) => (
      <Link
        className={styles.clip ?? ''}
        to="/~access/roles/$role"
        params={{ role: name }}
        search={{ mount }}
        title={name}
      >
        {name}
      </Link>
    ),
  },
  {
    id: 'authorities',
    head: 'Whose certificates',
    className: styles.authorities,
    cell: (role) =>
      role.info === 'unreadable' ? (
        <span className="soft">not for you to read</span>
      ) : (
        known(role, ({ authorities }) => <Authorities of={authorities} />)
      ),
  },
  {
    id: 'names',
    head: 'Names',
    className: styles.names,
    cell: (role) => known(role, (info) => <Tags names={namesOf(info)} most={2} />),
  },
  {
    id: 'policies',
    head: 'Policies',
    className: styles.policies,
    cell: (role) => known(role, ({ token_policies: policies }) => <Tags names={policies} most={2} />),
  },
  {
    id: 'ttl',
    head: 'Token lives',
    isNumber: true,
    className: styles.ttl,
    cell: (role) => known(role, ({ token_ttl: ttl }) => (ttl > 0 ? long(ttl) : 'as the mount says')),
  },
];

/** An authority near its end is a role that soon lets nobody in. */
const SOON_MS = 30 * 86_400_000;

/** The one that ends first, and how many there are beside it. */
function Authorities({ of }: { readonly of: readonly AccessSchemas['CertRoleAuthority'][] }) {
  const [first, ...others] = of.toSorted((one, other) => Date.parse(one.not_after) - Date.parse(other.not_after));
  if (first === undefined) return null;
  const left = Date.parse(first.not_after) - serverNow();
  return (
    <span className={styles.clip} title={of.map(({ subject }) => subject).join('; ')}>
      <bdi>{first.subject}</bdi>
      {others.length > 0 && <span className="soft"> +{others.length}</span>}
      {left < SOON_MS && (
        <span className={styles.bad}>
          {left < 0 ? (
            <>
              , ended <Ago time={first.not_after} inWords /> ago
            </>
          ) : (
            <time dateTime={first.not_after} title={exact(first.not_after)}>
              , ends in {long(left / 1_000)}
            </time>
          )}
        </span>
      )}
    </span>
  );
}

/** What names a certificate has to have, of whatever kind. */
function namesOf(info: AccessSchemas['CertRoleInfo']): string[] {
  const { allowed_names, allowed_common_names, allowed_dns_sans, allowed_email_sans, allowed_uri_sans } = info;
  return [allowed_names, allowed_common_names, allowed_dns_sans, allowed_email_sans, allowed_uri_sans].flatMap(
    (names) => names ?? [],
  );
}
