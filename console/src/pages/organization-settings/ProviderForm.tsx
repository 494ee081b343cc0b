import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { Area, Check, Field, Select } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { AT, readRules, rulesText } from './provider.ts';
import * as texts from './texts.ts';

const CREATE = [
  ['invited', texts.invitedUsersWithA],
  ['always', texts.everyUserOfTheProvider],
  ['never', texts.nobody],
] as const;

/** Form for the connection to the provider and the team mapping. */
export function ProviderForm({
  organization,
  provider,
  onSave,
}: {
  readonly organization: string;
  /** The stored provider. Undefined for a new one. */
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
  const missing = (name === '' || issuer === '' || client === '') && texts.enterANameAn;
  return (
    <Form
      action={provider ? texts.saveProvider : texts.setUpProvider}
      onSubmit={() => save.mutate()}
      busy={save.isPending}
      fault={save.error}
      off={missing || (teams === undefined && texts.writeEachLineAs)}
      done={save.isSuccess && texts.saved}
    >
      <Field name="name" label={texts.name} help={texts.nameShownToUsers} value={name} onText={setName} />
      <Field
        name="issuer"
        label={texts.issuer}
        type="url"
        help={texts.exactlyAsInThe}
        placeholder="https://id.example.com"
        value={issuer}
        onText={setIssuer}
      />
      <Field name="client-id" label={texts.clientId} autoComplete="off" value={client} onText={setClient} />
      <Field
        name="client-secret"
        label={texts.clientSecret}
        type="password"
        autoComplete="off"
        help={before?.['has-client-secret'] ? texts.aSecretIsStored : texts.leaveEmptyForA}
        value={secret}
        onText={setSecret}
      />
      <Select name="create" label={texts.createAccountsFor} value={create} options={CREATE} onText={setCreate} />
      <Area
        name="teams"
        label={texts.teamMapping}
        help={texts.oneLineForEach}
        placeholder="platform = owners"
        isCode
        value={rules}
        onText={setRules}
      />
      <Check name="sso-team-ids" label={texts.mapAGroupTo} checked={ssoTeamIds} onCheck={setSsoTeamIds} />
      <Field
        name="claims"
        label={texts.groupsClaim}
        help={texts.separateThePartsOf}
        value={groups}
        onText={setGroups}
      />
      <Field name="scopes" label={texts.scopes} value={scopes} onText={setScopes} />
      <Area
        name="certificate-authorities"
        label={texts.caCertificates}
        help={texts.pemCertificatesThatVerify}
        isCode
        value={authorities}
        onText={setAuthorities}
      />
    </Form>
  );
}
