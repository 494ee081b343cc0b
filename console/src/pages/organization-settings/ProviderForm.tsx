import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { Area, Check, Field, Select } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { AT, readRules, rulesText } from './provider.ts';

const CREATE = [
  ['invited', 'whose verified address is invited'],
  ['always', 'everybody whom the provider lets in'],
  ['never', 'nobody new'],
] as const;

/** How the provider is reached, and what its groups give. */
export function ProviderForm({
  organization,
  provider,
  onSave,
}: {
  readonly organization: string;
  /** Undefined for a new one. */
  readonly provider: Resources['sign-in-providers'] | undefined;
  readonly onSave: () => void;
}) {
  const before = provider?.attributes;
  const [name, setName] = useState(before?.name ?? '');
  const [issuer, setIssuer] = useState(before?.issuer ?? '');
  const [client, setClient] = useState(before?.['client-id'] ?? '');
  const [secret, setSecret] = useState('');
  const [create, setCreate] = useState(before?.create ?? 'invited');
  const [scopes, setScopes] = useState((before?.scopes ?? ['openid', 'profile', 'email']).join(' '));
  const [groups, setGroups] = useState(before?.claims.groups ?? 'groups');
  const [rules, setRules] = useState(rulesText(before?.teams ?? []));
  const [ssoTeamIds, setSsoTeamIds] = useState(before?.['sso-team-ids'] ?? true);
  const [authorities, setAuthorities] = useState(before?.['certificate-authorities'] ?? '');
  const teams = readRules(rules);
  const save = useChange(
    () =>
      workspaces.send(`${provider ? 'PATCH' : 'POST'} ${AT}`, {
        path: { organization_name: organization },
        body: {
          data: {
            type: 'sign-in-providers',
            attributes: {
              ...{ name, issuer, 'client-id': client, create: create as 'invited' },
              ...(secret !== '' && { 'client-secret': secret }),
              scopes: scopes.split(/\s+/).filter((scope) => scope !== ''),
              claims: { ...before?.claims, groups },
              teams: [...(teams ?? [])],
              'sso-team-ids': ssoTeamIds,
              'certificate-authorities': authorities || null,
            },
          },
        },
      }),
    onSave,
  );
  const missing = (name === '' || issuer === '' || client === '') && 'It needs a name, an issuer and a client id';
  return (
    <Form
      action={provider ? 'Save provider' : 'Set up provider'}
      onSubmit={() => save.mutate()}
      busy={save.isPending}
      fault={save.error}
      off={missing || (teams === undefined && 'A line of groups and teams is not: group = team')}
      done={save.isSuccess && 'Saved'}
    >
      <Field name="name" label="Name" help="As people know it." value={name} onText={setName} />
      <Field
        name="issuer"
        label="Issuer"
        type="url"
        help="Exactly as its tokens name it."
        placeholder="https://id.example.com"
        value={issuer}
        onText={setIssuer}
      />
      <Field name="client-id" label="Client id" autoComplete="off" value={client} onText={setClient} />
      <Field
        name="client-secret"
        label="Client secret"
        type="password"
        autoComplete="off"
        help={
          before?.['has-client-secret']
            ? 'One is stored. Leave it empty to keep it. A new issuer, or other authorities, need it again.'
            : 'None: a public client.'
        }
        value={secret}
        onText={setSecret}
      />
      <Select name="create" label="Lets in who was never here" value={create} options={CREATE} onText={setCreate} />
      <Area
        name="teams"
        label="Groups and teams"
        help="A line for each: group = team. A star at the end of a group stands for any end."
        placeholder="platform = owners"
        isCode
        value={rules}
        onText={setRules}
      />
      <Check
        name="sso-team-ids"
        label="A team takes the group that its SSO team id names"
        checked={ssoTeamIds}
        onCheck={setSsoTeamIds}
      />
      <Field
        name="claims"
        label="Claim of the groups"
        help="A path has dots: realm_access.roles"
        value={groups}
        onText={setGroups}
      />
      <Field name="scopes" label="Scopes" value={scopes} onText={setScopes} />
      <Area
        name="certificate-authorities"
        label="Authorities that vouch for it"
        help="In PEM. Empty: those of the system."
        isCode
        value={authorities}
        onText={setAuthorities}
      />
    </Form>
  );
}
