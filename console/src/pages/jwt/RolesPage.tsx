import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type AccessSchemas, access } from '../../api/client.ts';
import { buttonClass } from '../../components/button/Button.tsx';
import { Tags } from '../../components/chip/Chip.tsx';
import { claimLines } from '../../components/claims/claims.ts';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { known, knownOrNot, RoleList } from '../../components/role/RoleList.tsx';
import styles from '../../components/role/role-list.module.css';
import { type Role, useRoles } from '../../components/role/use-roles.ts';
import type { Column } from '../../components/table/columns.ts';
import { long } from '../../format/time.ts';
import { useMay } from '../../shell/may.ts';
import { Frame } from './Frame.tsx';
import * as texts from './texts.ts';

const LIST = 'GET /auth/{jwt_mount_path}/role/';
type Info = AccessSchemas['JwtRole'];

const route = getRouteApi('/signed-in/~access/jwt');

/** Roles of a JWT mount, with the tokens that each accepts and its policies. */
export function RolesPage() {
  const { mount = 'jwt', name = '' } = route.useSearch();
  const navigate = useNavigate({ from: '/~access/jwt' });
  const may = useMay([`auth/${mount}/role/+`]);
  const path = { jwt_mount_path: mount };
  const roles = useRoles((query) => access.query(LIST, { path, query }), name);
  usePathLine({
    request: access.request(LIST, { path, query: { list: 'true' } }),
    command: `lockkeeper list auth/${mount}/role`,
  });
  return (
    <Frame
      title={texts.roles}
      mount={mount}
      lede={texts.rolesOfAuthWhich(mount)}
      actions={
        may(`auth/${mount}/role/+`, 'create', 'update') && (
          <Link className={buttonClass('primary')} to="/~access/jwt/roles/~new" search={{ mount }}>
            {texts.newRole}
          </Link>
        )
      }
    >
      <RoleList
        roles={roles}
        columns={columnsOf(mount)}
        missing={<code>list on auth/{mount}/role</code>}
        empty={
          <Empty
            title={texts.noRolesYet}
            command={`lockkeeper write auth/${mount}/role/deploy user_claim=sub bound_audiences=https://lockkeeper.example.com`}
          >
            {texts.aRoleSaysWhich}
          </Empty>
        }
        part={name}
        onPart={(next) => void navigate({ search: (before) => ({ ...before, name: next }), replace: true })}
        onOpen={(role) => void navigate({ to: '/~access/jwt/roles/$role', params: { role }, search: { mount } })}
      />
    </Frame>
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
        to="/~access/jwt/roles/$role"
        params={{ role: name }}
        search={{ mount }}
        title={name}
      >
        {name}
      </Link>
    ),
  },
  {
    id: 'whose',
    head: texts.acceptedTokens,
    className: styles.whose,
    cell: (role) => knownOrNot(role, (info) => <Whose of={info} />),
  },
  {
    id: 'audiences',
    head: texts.audiences,
    className: styles.names,
    cell: (role) => known(role, ({ bound_audiences: names }) => <Tags names={names ?? []} most={2} />),
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

/** Required claims in one line. */
function Whose({ of: { bound_subject: subject, bound_claims: claims } }: { readonly of: Info }) {
  const lines = [...(subject === '' ? [] : [`sub = ${subject}`]), ...claimLines(claims).split('\n').filter(Boolean)];
  if (lines.length === 0) return <span className="soft">{texts.anyTokenWithTheAudience}</span>;
  return (
    <code className={styles.clip} title={lines.join('\n')}>
      <bdi>{lines.join(', ')}</bdi>
    </code>
  );
}
