import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { access } from '../../api/client.ts';
import { buttonClass } from '../../components/button/Button.tsx';
import { OfRole } from '../../components/machine-identities/OfRole.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { DeleteRole } from '../../components/role/DeleteRole.tsx';
import { RoleForm } from '../../components/role/RoleForm.tsx';
import { useMay } from '../../shell/may.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { GROUPS } from './fields.ts';
import * as texts from './texts.ts';

const READ = 'GET /auth/{cert_mount_path}/certs/{name}';
const WRITE = 'POST /auth/{cert_mount_path}/certs/{name}';
const DELETE = 'DELETE /auth/{cert_mount_path}/certs/{name}';
const one = getRouteApi('/signed-in/~access/roles/$role');
const fresh = getRouteApi('/signed-in/~access/roles/~new');

function useRolePlace(mount: string, role: string, label: string) {
  usePlace([
    { label: texts.access },
    { label: `auth/${mount}` },
    { label: texts.roles, to: `/~access/roles?mount=${mount}` },
    { label },
  ]);
  usePathLine({
    request: access.request(READ, { path: { cert_mount_path: mount, name: role } }),
    command: `lockkeeper read auth/${mount}/certs/${role}`,
  });
}

/** One role: which certificates it accepts, and the policies that it gives. */
export function RolePage() {
  const { role } = one.useParams();
  const { mount = 'cert' } = one.useSearch();
  const navigate = useNavigate();
  const path = { cert_mount_path: mount, name: role };
  const place = `auth/${mount}/certs/${role}`;
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
              <Link className={buttonClass()} to="/~access/inspect" search={{ mount, role }}>
                {texts.inspectACertificate}
              </Link>
            }
          />
          <RoleForm
            groups={GROUPS}
            place={place}
            name={role}
            role={data}
            mayWrite={may(place, 'update', 'create')}
            write={(changes) => access.send(WRITE, { path, body: changes })}
          />
          <OfRole mount={mount} role={role} />
          {may(place, 'delete') && (
            <DeleteRole
              role={role}
              remove={() => access.send(DELETE, { path })}
              onGone={() => navigate({ to: '/~access/roles', search: { mount } })}
            />
          )}
        </>
      )}
    </QueryResult>
  );
}

/** Form for a new role. */
export function NewRolePage() {
  const { mount = 'cert' } = fresh.useSearch();
  const [name, setName] = useState('');
  const { role: start } = useLocation().state;
  const navigate = useNavigate();
  useRolePlace(mount, name || 'NAME', texts.newRole);
  return (
    <>
      <PageHead
        title={texts.newRole}
        lede={start ? texts.filledInFromThe : texts.definesWhichCertificatesAuthAccepts(mount)}
      />
      <RoleForm
        groups={GROUPS}
        place={`auth/${mount}/certs/${name}`}
        name={name}
        role={{}}
        start={start}
        mayWrite
        write={(body) => access.send(WRITE, { path: { cert_mount_path: mount, name }, body })}
        onName={setName}
        onMade={(warnings) =>
          navigate({
            to: '/~access/roles/$role',
            params: { role: name.toLowerCase() },
            search: { mount },
            state: { warnings },
          })
        }
      />
    </>
  );
}
