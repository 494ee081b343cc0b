import { getRouteApi, Link, useLocation, useNavigate } from '@tanstack/react-router';
import { access } from '../../api/client.ts';
import { buttonClass } from '../../components/button/Button.tsx';
import { NewRole, type RoleMethod, RoleView } from '../../shell/role/RoleView.tsx';
import { GROUPS } from './fields.ts';
import * as texts from './texts.ts';

const ONE = '/auth/{jwt_mount_path}/role/{name}';
const one = getRouteApi('/signed-in/~access/jwt/roles/$role');
const fresh = getRouteApi('/signed-in/~access/jwt/roles/~new');

const METHOD: RoleMethod = {
  groups: GROUPS,
  list: '/~access/jwt',
  place: (mount, name) => `auth/${mount}/role/${name}`,
  request: (mount, name) => access.request(`GET ${ONE}`, { path: { jwt_mount_path: mount, name } }),
  read: (mount, name) => access.query(`GET ${ONE}`, { path: { jwt_mount_path: mount, name } }),
  write: (mount, name, body) => access.send(`POST ${ONE}`, { path: { jwt_mount_path: mount, name }, body }),
  remove: (mount, name) => access.send(`DELETE ${ONE}`, { path: { jwt_mount_path: mount, name } }),
};

/** One role: which tokens it accepts, their alias, and the policies that it gives. */
export function RolePage() {
  const { role } = one.useParams();
  const { mount = 'jwt' } = one.useSearch();
  const navigate = useNavigate();
  return (
    <RoleView
      method={METHOD}
      mount={mount}
      role={role}
      actions={
        <Link className={buttonClass()} to="/~access/jwt/inspect" search={{ mount, role }}>
          {texts.inspectAToken}
        </Link>
      }
      onGone={() => navigate({ to: '/~access/jwt', search: { mount } })}
    />
  );
}

/** Form for a new role. */
export function NewRolePage() {
  const { mount = 'jwt' } = fresh.useSearch();
  const { tokenRole: start } = useLocation().state;
  const navigate = useNavigate();
  return (
    <NewRole
      method={METHOD}
      mount={mount}
      lede={start ? texts.filledInFromThe : texts.definesWhichTokensAuthAccepts(mount)}
      start={start}
      onMade={(role, warnings) =>
        navigate({ to: '/~access/jwt/roles/$role', params: { role }, search: { mount }, state: { warnings } })
      }
    />
  );
}
