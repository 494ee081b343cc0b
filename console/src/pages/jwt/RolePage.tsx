import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { access } from '../../api/client.ts';
import { buttonClass } from '../../components/button/Button.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { DeleteRole } from '../../components/role/DeleteRole.tsx';
import { RoleForm } from '../../components/role/RoleForm.tsx';
import { useMay } from '../../shell/may.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { GROUPS } from './fields.ts';
import * as texts from './texts.ts';

const READ = 'GET /auth/{jwt_mount_path}/role/{name}';
const WRITE = 'POST /auth/{jwt_mount_path}/role/{name}';
const DELETE = 'DELETE /auth/{jwt_mount_path}/role/{name}';
const one = getRouteApi('/signed-in/~access/jwt/roles/$role');
const fresh = getRouteApi('/signed-in/~access/jwt/roles/~new');

function useRolePlace(mount: string, role: string, label: string) {
  usePlace([
    { label: texts.access },
    { label: `auth/${mount}` },
    { label: texts.roles, to: `/~access/jwt?mount=${mount}` },
    { label },
  ]);
  usePathLine({
    request: access.request(READ, { path: { jwt_mount_path: mount, name: role } }),
    command: `lockkeeper read auth/${mount}/role/${role}`,
  });
}

/** One role: which tokens it accepts, their alias, and the policies that it gives. */
export function RolePage() {
  const { role } = one.useParams();
  const { mount = 'jwt' } = one.useSearch();
  const navigate = useNavigate();
  const path = { jwt_mount_path: mount, name: role };
  const place = `auth/${mount}/role/${role}`;
  const may = useMay([place]);
  useRolePlace(mount, role, role);
  const read = useQuery(access.query(READ, { path }));
  return (
    <QueryResult query={read} what={texts.theRole(role)} missing={<code>read on {place}</code>} isPage>
      {({ data }) => (
        <>
          <PageHead
            title={role}
            lede={texts.aRoleOfAuth(mount)}
            actions={
              <Link className={buttonClass()} to="/~access/jwt/inspect" search={{ mount, role }}>
                {texts.inspectAToken}
              </Link>
            }
          />
          <RoleForm
            groups={GROUPS}
            place={place}
            name={role}
            role={data}
            mayWrite={may(place, 'update', 'create')}
            write={(body) => access.send(WRITE, { path, body })}
          />
          {may(place, 'delete') && (
            <DeleteRole
              role={role}
              remove={() => access.send(DELETE, { path })}
              onGone={() => navigate({ to: '/~access/jwt', search: { mount } })}
            />
          )}
        </>
      )}
    </QueryResult>
  );
}

/** Form for a new role. */
export function NewRolePage() {
  const { mount = 'jwt' } = fresh.useSearch();
  const [name, setName] = useState('');
  const { tokenRole: start } = useLocation().state;
  const navigate = useNavigate();
  useRolePlace(mount, name || 'NAME', texts.newRole);
  return (
    <>
      <PageHead
        title={texts.newRole}
        lede={start ? texts.filledInFromThe : texts.definesWhichTokensAuthAccepts(mount)}
      />
      <RoleForm
        groups={GROUPS}
        place={`auth/${mount}/role/${name}`}
        name={name}
        role={{}}
        start={start}
        mayWrite
        write={(body) => access.send(WRITE, { path: { jwt_mount_path: mount, name }, body })}
        onName={setName}
        onMade={(warnings) =>
          navigate({
            to: '/~access/jwt/roles/$role',
            params: { role: name.toLowerCase() },
            search: { mount },
            state: { warnings },
          })
        }
      />
    </>
  );
}
