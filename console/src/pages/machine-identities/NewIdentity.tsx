import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useChange } from '../../api/change.ts';
import { access, workspaces } from '../../api/client.ts';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Field, Select } from '../../components/form/Field.tsx';
import { useMay } from '../../shell/may.ts';
import type { RoleRef } from './bridges.ts';
import * as texts from './texts.ts';
import type { Owners } from './use-owners.ts';
import type { View } from './view.ts';

/** Number of teams, pools and roles offered for selection; a search finds others. */
const MOST = 100;

interface NewIdentityProps {
  readonly owners: readonly Owners[];
  /** Preselects the role of the current filter. */
  readonly view: View;
  readonly hasAccess: boolean;
  readonly onClose: () => void;
  readonly onMade: (ref: RoleRef, id: string) => void;
}

/** Form for a new machine identity of a team or an agent pool. */
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
      announce(texts.added(role));
      onMade({ mount: bare, role }, data.id);
    },
  );
  return (
    <AskDialog
      title={texts.addAMachineIdentity}
      action={texts.add}
      busy={add.isPending}
      fault={add.error}
      off={(role.trim() === '' && texts.enterARole) || (id === '' && texts.select(an(kind)))}
      onAction={() => add.mutate()}
      onClose={onClose}
    >
      <RoleFields mount={mount} role={role} hasAccess={hasAccess} onMount={setMount} onRole={setRole} />
      <Field
        name="common-name"
        label={texts.commonName}
        help={texts.commonNameOfThe}
        value={commonName}
        onText={setCommonName}
      />
      {owners.length > 1 && (
        <Select
          label={texts.organization}
          value={organization}
          options={owners.map((one) => [one.organization, one.organization])}
          onText={setOrganization}
        />
      )}
      {kinds.length > 1 && (
        <Select
          label={texts.purpose}
          value={kind}
          options={[
            ['team', texts.actForATeam],
            ['agent pool', texts.registerAsAgentOf],
          ]}
          onText={(next) => setKind(next as typeof kind)}
        />
      )}
      {(found.isMany || search !== '') && <Field label={texts.find} type="search" value={search} onText={setSearch} />}
      <Select
        label={kind === 'team' ? texts.team : texts.agentPool}
        value={id}
        options={found.options}
        off={found.options.length === 0 && texts.noEntries(search ? texts.withThisName : texts.yet)}
        onText={setOwner}
      />
    </AskDialog>
  );
}

const an = (kind: 'team' | 'agent pool') => (kind === 'team' ? texts.aTeam : texts.anAgentPool);

/** Finds teams or pools of an organization by name. */
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

/** Fields for the mount and the role. Suggests roles if the token may list them. */
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
      <Field
        name="role"
        label={texts.role}
        help={texts.roleWithWhichThe}
        value={role}
        onText={onRole}
        list={list}
        autoFocus
      />
      <Field name="mount" label={texts.mount} help={texts.pathOfTheAuth} value={mount} onText={onMount} />
      <datalist id={list}>
        {(roles.data?.data.keys ?? []).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
