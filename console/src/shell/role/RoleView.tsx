import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Query } from '../../api/client.ts';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { DeleteRole } from '../../components/role/DeleteRole.tsx';
import type { FieldGroups } from '../../components/role/fields.ts';
import { RoleForm } from '../../components/role/RoleForm.tsx';
import { useMay } from '../may.ts';
import { PageHead } from '../PageHead.tsx';
import { usePlace } from '../page.ts';
import * as texts from './texts.ts';

/** Roles of an auth method: their fields, URLs and operations. */
export interface RoleMethod {
  readonly groups: FieldGroups;
  /** URL of the list of roles. */
  readonly list: string;
  /** Path of a role below `/v1`. */
  readonly place: (mount: string, name: string) => string;
  readonly request: (mount: string, name: string) => Parameters<typeof usePathLine>[0]['request'];
  readonly read: (mount: string, name: string) => Query<{ readonly data: object }>;
  readonly write: (mount: string, name: string, changes: Record<string, unknown>) => Promise<unknown>;
  readonly remove: (mount: string, name: string) => Promise<unknown>;
}

function useRolePlace({ list, place, request }: RoleMethod, mount: string, role: string, label: string) {
  usePlace([
    { label: texts.access },
    { label: `auth/${mount}` },
    { label: texts.roles, to: `${list}?mount=${mount}` },
    { label },
  ]);
  usePathLine({ request: request(mount, role), command: `lockkeeper read ${place(mount, role)}` });
}

interface RoleViewProps {
  readonly method: RoleMethod;
  readonly mount: string;
  readonly role: string;
  readonly actions: ReactNode;
  /** Leaves the page after the deletion. */
  readonly onGone: () => Promise<void>;
  /** Shown between the form and the deletion. */
  readonly children?: ReactNode;
}

/** One role: which clients it accepts, and the policies that it gives. */
export function RoleView({ method, mount, role, actions, onGone, children }: RoleViewProps) {
  const place = method.place(mount, role);
  const may = useMay([place]);
  useRolePlace(method, mount, role, role);
  const read = useQuery(method.read(mount, role));
  return (
    <QueryResult query={read} what={texts.theRole(role)} missing={<code>read on {place}</code>} isPage>
      {({ data }) => (
        <>
          <PageHead title={role} lede={texts.aRoleOfAuth(mount)} actions={actions} />
          <RoleForm
            groups={method.groups}
            place={place}
            name={role}
            role={data}
            mayWrite={may(place, 'update', 'create')}
            write={(changes) => method.write(mount, role, changes)}
          />
          {children}
          {may(place, 'delete') && <DeleteRole role={role} remove={() => method.remove(mount, role)} onGone={onGone} />}
        </>
      )}
    </QueryResult>
  );
}

interface NewRoleProps {
  readonly method: RoleMethod;
  readonly mount: string;
  readonly lede: string;
  /** Initial values. */
  readonly start: object | undefined;
  /** Opens the page of the new role. */
  readonly onMade: (role: string, warnings: readonly string[]) => Promise<void>;
}

/** Form for a new role. */
export function NewRole({ method, mount, lede, start, onMade }: NewRoleProps) {
  const [name, setName] = useState('');
  useRolePlace(method, mount, name || 'NAME', texts.newRole);
  return (
    <>
      <PageHead title={texts.newRole} lede={lede} />
      <RoleForm
        groups={method.groups}
        place={method.place(mount, name)}
        name={name}
        role={{}}
        start={start}
        mayWrite
        write={(changes) => method.write(mount, name, changes)}
        onName={setName}
        onMade={(warnings) => onMade(name.toLowerCase(), warnings)}
      />
    </>
  );
}
