import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useChange } from '../../api/change.ts';
import { access, workspaces } from '../../api/client.ts';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Field, Select } from '../../components/form/Field.tsx';
import { useMay } from '../../shell/may.ts';
import type { RoleRef } from './bridges.ts';
import type { Owners } from './use-owners.ts';
import type { View } from './view.ts';

/** Teams, pools and roles that can be chosen from; others are found by what they are called. */
const MOST = 100;

interface NewIdentityProps {
  readonly owners: readonly Owners[];
  /** Where it is about a role already, that one. */
  readonly view: View;
  readonly hasAccess: boolean;
  readonly onClose: () => void;
  readonly onMade: (ref: RoleRef, id: string) => void;
}

/** Lets whoever logs in by a role act for a team, or be an agent of a pool. */
export function NewIdentity({ owners, view, hasAccess, onClose, onMade }: NewIdentityProps) {
  const [organization, setOrganization] = useState(owners[0]?.organization ?? '');
  const kinds = owners.find((one) => one.organization === organization)?.kinds ?? [];
  const [chosenKind, setKind] = useState(kinds[0] ?? 'team');
  const kind = kinds.includes(chosenKind) ? chosenKind : (kinds[0] ?? 'team');
  const [search, setSearch] = useState('');
  const [owner, setOwner] = useState('');
  const [mount, setMount] = useState(view.mount ?? 'cert');
  const [role, setRole] = useState(view.role ?? '');
  const [commonName, setCommonName] = useState('');
  const found = useFound(organization, kind, search);
  const id = found.options.some(([one]) => one === owner) ? owner : (found.options[0]?.[0] ?? '');
  const bare = mount.replace(/^\/+|\/+$/g, '');
  const add = useChange(
    () => {
      const attributes = { mount, role, 'common-name': commonName || null };
      const body = { data: { type: 'machine-identities' as const, attributes } };
      return kind === 'team'
        ? workspaces.send('POST /teams/{team_id}/machine-identities', { path: { team_id: id }, body })
        : workspaces.send('POST /agent-pools/{agent_pool_id}/machine-identities', {
            path: { agent_pool_id: id },
            body,
          });
    },
    ({ data }) => {
      announce(`Added: ${role}`);
      onMade({ mount: bare, role }, data.id);
    },
  );
  return (
    <AskDialog
      title="Add a machine identity"
      action="Add"
      busy={add.isPending}
      fault={add.error}
      off={(role.trim() === '' && 'It needs a role') || (id === '' && `It needs ${an(kind)}`)}
      onAction={() => add.mutate()}
      onClose={onClose}
    >
      <RoleFields mount={mount} role={role} hasAccess={hasAccess} onMount={setMount} onRole={setRole} />
      <Field
        name="common-name"
        label="Common name"
        help="Of the certificate, with * for anything; empty for any that the role lets in."
        value={commonName}
        onText={setCommonName}
      />
      {owners.length > 1 && (
        <Select
          label="Organization"
          value={organization}
          options={owners.map((one) => [one.organization, one.organization])}
          onText={setOrganization}
        />
      )}
      {kinds.length > 1 && (
        <Select
          label="Acts"
          value={kind}
          options={[
            ['team', 'for a team'],
            ['agent pool', 'as an agent of a pool'],
          ]}
          onText={(next) => setKind(next as typeof kind)}
        />
      )}
      {(found.isMany || search !== '') && <Field label="Find" type="search" value={search} onText={setSearch} />}
      <Select
        label={kind === 'team' ? 'Team' : 'Agent pool'}
        value={id}
        options={found.options}
        off={found.options.length === 0 && `There is none${search ? ' called that' : ' yet'}`}
        onText={setOwner}
      />
    </AskDialog>
  );
}

const an = (kind: 'team' | 'agent pool') => (kind === 'team' ? 'a team' : 'an agent pool');

/** Teams or pools of an organization, by name. */
function useFound(organization: string, kind: 'team' | 'agent pool', q: string) {
  const input = { path: { organization_name: organization }, query: { 'page[size]': `${MOST}`, ...(q && { q }) } };
  const teams = useQuery({
    ...workspaces.query('GET /organizations/{organization_name}/teams', input),
    enabled: kind === 'team',
  });
  const pools = useQuery({
    ...workspaces.query('GET /organizations/{organization_name}/agent-pools', input),
    enabled: kind === 'agent pool',
  });
  const { data } = kind === 'team' ? teams : pools;
  const all: readonly { readonly id: string; readonly attributes: { readonly name: string } }[] = data?.data ?? [];
  return {
    options: all.map(({ id, attributes }) => [id, attributes.name] as const),
    isMany: (data?.meta.pagination['total-count'] ?? 0) > MOST,
  };
}

interface RoleFieldsProps extends RoleRef {
  readonly hasAccess: boolean;
  readonly onMount: (mount: string) => void;
  readonly onRole: (role: string) => void;
}

/** Which login it is about. Whoever may list roles is offered them. */
function RoleFields({ mount, role, hasAccess, onMount, onRole }: RoleFieldsProps) {
  const list = useId();
  const place = `auth/${mount}/certs`;
  const may = useMay([place], hasAccess && mount !== '');
  const roles = useQuery({
    ...access.query('GET /auth/{cert_mount_path}/certs/', {
      path: { cert_mount_path: mount },
      query: { list: 'true', limit: MOST },
    }),
    enabled: hasAccess && may(place, 'list'),
  });
  return (
    <>
      <Field name="role" label="Role" help="By which it logs in." value={role} onText={onRole} list={list} autoFocus />
      <Field name="mount" label="Mount" help="Of the role: auth/…" value={mount} onText={onMount} />
      <datalist id={list}>
        {(roles.data?.data.keys ?? []).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
