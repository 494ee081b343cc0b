import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type AccessSchemas, access } from '../../api/client.ts';
import { serverNow } from '../../api/clock.ts';
import { buttonClass } from '../../components/button/Button.tsx';
import { Tags } from '../../components/chip/Chip.tsx';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { known, knownOrNot, RoleList } from '../../components/role/RoleList.tsx';
import styles from '../../components/role/role-list.module.css';
import { type Role, useRoles } from '../../components/role/use-roles.ts';
import type { Column } from '../../components/table/columns.ts';
import { Ago } from '../../components/time/Time.tsx';
import { exact, long } from '../../format/time.ts';
import { useMay } from '../../shell/may.ts';
import { RolesOf } from '../../shell/mounts/RolesOf.tsx';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import * as texts from './texts.ts';

const LIST = 'GET /auth/{cert_mount_path}/certs/';
type Info = AccessSchemas['CertRoleInfo'];

const route = getRouteApi('/signed-in/~access/roles');

/** Roles of a certificate mount, with the CA, names and policies of each. */
export function RolesPage() {
  const { mount = 'cert', name = '' } = route.useSearch();
  const navigate = useNavigate({ from: '/~access/roles' });
  const may = useMay([`auth/${mount}/certs/+`]);
  const path = { cert_mount_path: mount };
  const roles = useRoles((query) => access.query(LIST, { path, query }), name);
  usePlace([{ label: texts.access }, { label: `auth/${mount}` }, { label: texts.roles }]);
  usePathLine({
    request: access.request(LIST, { path, query: { list: 'true' } }),
    command: `lockkeeper list auth/${mount}/certs`,
  });
  return (
    <>
      <PageHead
        title={texts.roles}
        beside={<RolesOf mount={mount} />}
        lede={texts.rolesOfAuthWhich(mount)}
        actions={
          may(`auth/${mount}/certs/+`, 'create', 'update') && (
            <Link className={buttonClass('primary')} to="/~access/roles/~new" search={{ mount }}>
              {texts.newRole}
            </Link>
          )
        }
      />
      <RoleList
        roles={roles}
        columns={columnsOf(mount)}
        missing={<code>list on auth/{mount}/certs</code>}
        empty={
          <Empty title={texts.noRolesYet} command={`lockkeeper write auth/${mount}/certs/web certificate=@ca.pem`}>
            {texts.aRoleSaysWhich}
          </Empty>
        }
        part={name}
        onPart={(next) => void navigate({ search: (before) => ({ ...before, name: next }), replace: true })}
        onOpen={(role) => void navigate({ to: '/~access/roles/$role', params: { role }, search: { mount } })}
      />
    </>
  );
}

const columnsOf = (mount: string): readonly Column<Role<Info>>[] => [
  {
    id: 'name',
    head: texts.name,
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
    head: texts.ca,
    className: styles.whose,
    cell: (role) => knownOrNot(role, ({ authorities }) => <Authorities of={authorities} />),
  },
  {
    id: 'names',
    head: texts.names,
    className: styles.names,
    cell: (role) => known(role, (info) => <Tags names={namesOf(info)} most={2} />),
  },
  {
    id: 'policies',
    head: texts.policies,
    className: styles.policies,
    cell: (role) => known(role, ({ token_policies: policies }) => <Tags names={policies} most={2} />),
  },
  {
    id: 'ttl',
    head: texts.tokenLifetime,
    isNumber: true,
    className: styles.ttl,
    cell: (role) => known(role, ({ token_ttl: ttl }) => (ttl > 0 ? long(ttl) : texts.defaultOfTheMount)),
  },
];

/** Warning period before a CA certificate expires. After that no login with the role succeeds. */
const SOON_MS = 30 * 86_400_000;

/** The CA certificate that expires first, and the number of others. */
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
              {texts.expired} <Ago time={first.not_after} inWords /> {texts.ago}
            </>
          ) : (
            <time dateTime={first.not_after} title={exact(first.not_after)}>
              {texts.expiresIn(long(left / 1_000))}
            </time>
          )}
        </span>
      )}
    </span>
  );
}

/** All name constraints of a role. */
function namesOf(info: Info): string[] {
  const { allowed_names, allowed_common_names, allowed_dns_sans, allowed_email_sans, allowed_uri_sans } = info;
  return [allowed_names, allowed_common_names, allowed_dns_sans, allowed_email_sans, allowed_uri_sans].flatMap(
    (names) => names ?? [],
  );
}
