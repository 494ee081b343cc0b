import { getRouteApi, Link, useLocation, useNavigate } from '@tanstack/react-router';
import { access } from '../../api/client.ts';
import { buttonClass } from '../../components/button/Button.tsx';
import { OfRole } from '../../components/machine-identities/OfRole.tsx';
import { NewRole, type RoleMethod, RoleView } from '../../shell/role/RoleView.tsx';
import { GROUPS } from './fields.ts';
import * as texts from './texts.ts';

const ONE = '/auth/{cert_mount_path}/certs/{name}';
const one = getRouteApi('/signed-in/~access/roles/$role');
const fresh = getRouteApi('/signed-in/~access/roles/~new');

const METHOD: RoleMethod = {
  groups: GROUPS,
  list: '/~access/roles',
  place: (mount, name) => `auth/${mount}/certs/${name}`,
  request: (mount, name) => access.request(`GET ${ONE}`, { path: { cert_mount_path: mount, name } }),
  read: (mount, name) => access.query(`GET ${ONE}`, { path: { cert_mount_path: mount, name } }),
  write: (mount, name, body) => access.send(`POST ${ONE}`, { path: { cert_mount_path: mount, name }, body }),
  remove: (mount, name) => access.send(`DELETE ${ONE}`, { path: { cert_mount_path: mount, name } }),
};

/** One role: which certificates it accepts, and the policies that it gives. */
export function RolePage() {
  const { role } = one.useParams();
  const { mount = 'cert' } = one.useSearch();
  const navigate = useNavigate();
  return (
    <RoleView
      method={METHOD}
      mount={mount}
      role={role}
      actions={
        <Link className={buttonClass()} to="/~access/inspect" search={{ mount, role }}>
          {texts.inspectACertificate}
        </Link>
      }
      onGone={() => navigate({ to: '/~access/roles', search: { mount } })}
    >
      <OfRole mount={mount} role={role} />
    </RoleView>
  );
}

/** Form for a new role. */
export function NewRolePage() {
  const { mount = 'cert' } = fresh.useSearch();
  const { role: start } = useLocation().state;
  const navigate = useNavigate();
  return (
    <NewRole
      method={METHOD}
      mount={mount}
      lede={start ? texts.filledInFromThe : texts.definesWhichCertificatesAuthAccepts(mount)}
      start={start}
      onMade={(role, warnings) =>
        navigate({ to: '/~access/roles/$role', params: { role }, search: { mount }, state: { warnings } })
      }
    />
  );
}
