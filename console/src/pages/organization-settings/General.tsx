import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { Copyable } from '../../components/copy/Copyable.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { Check, Field, FieldGroup, Select } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { Section } from '../../components/section/Section.tsx';
import { day } from '../../format/time.ts';
import type { OrganizationAnswer } from '../../shell/organization.ts';
import { usePart } from './part.tsx';

const UPDATE = 'PATCH /organizations/{organization_name}';
const MODES = [
  ['remote', 'remote: agents of the installation plan and apply'],
  ['agent', 'agent: agents of a pool plan and apply'],
  ['local', 'local: whoever calls plans and applies, the state is here'],
] as const;
const ENGINES = [
  ['opentofu', 'OpenTofu'],
  ['terraform', 'Terraform'],
] as const;

/** What an organization is called, and what its workspaces begin with. */
export function General() {
  const { organization, answer } = usePart(
    'General',
    (name) => workspaces.request('GET /organizations/{organization_name}', { path: { organization_name: name } }),
    (name) => `lockkeeper api GET organizations/${name}`,
  );
  if (!answer) return null;
  const { attributes } = answer.data;
  return (
    <Section title="General">
      {attributes.permissions['can-update'] ? (
        <GeneralForm key={organization} organization={organization} answer={answer} />
      ) : (
        <Facts
          of={[
            ['Id', <Copyable key="id" text={attributes['external-id']} what="id" />],
            ['Name', <bdi key="name">{attributes.name}</bdi>],
            ['Email', <bdi key="email">{attributes.email}</bdi>],
            ['Execution', attributes['default-execution-mode']],
            ['Engine', attributes['default-engine']],
            ['Created', day(attributes['created-at'])],
          ]}
        />
      )}
    </Section>
  );
}

function GeneralForm({ organization, answer }: { readonly organization: string; readonly answer: OrganizationAnswer }) {
  const { attributes, relationships } = answer.data;
  const path = { organization_name: organization };
  const [name, setName] = useState(attributes.name);
  const [email, setEmail] = useState(attributes.email);
  const [mode, setMode] = useState<string>(attributes['default-execution-mode']);
  const [pool, setPool] = useState(relationships['default-agent-pool'].data?.id ?? '');
  const [engine, setEngine] = useState<string>(attributes['default-engine']);
  const [force, setForce] = useState(attributes['allow-force-delete-workspaces']);
  const [drift, setDrift] = useState(attributes['assessments-enforced']);
  const [users, setUsers] = useState(attributes['user-tokens-enabled']);
  const navigate = useNavigate();
  const pools = useQuery({
    ...workspaces.query('GET /organizations/{organization_name}/agent-pools', { path, query: { 'page[size]': '100' } }),
    enabled: mode === 'agent',
  });
  const save = useChange(
    () =>
      workspaces.send(UPDATE, {
        path,
        body: {
          data: {
            type: 'organizations',
            attributes: {
              name,
              email,
              'default-execution-mode': mode as 'remote',
              'default-engine': engine as 'opentofu',
              'allow-force-delete-workspaces': force,
              'assessments-enforced': drift,
              'user-tokens-enabled': users,
            },
            relationships: {
              'default-agent-pool': { data: mode === 'agent' && pool ? { id: pool } : null },
            },
          },
        },
      }),
    () => name !== organization && navigate({ to: '/$organization/settings', params: { organization: name } }),
  );
  return (
    <Form
      action="Save"
      onSubmit={() => save.mutate()}
      busy={save.isPending}
      fault={save.error}
      done={save.isSuccess && 'Saved'}
    >
      <Field
        name="name"
        label="Name"
        help={
          name === organization
            ? 'It stands in every address.'
            : 'Command lines and links that say the old name stop working.'
        }
        value={name}
        onText={setName}
      />
      <Field name="email" label="Email" type="email" value={email} onText={setEmail} />
      <FieldGroup label="New workspaces">
        <Select name="default-execution-mode" label="Execution" value={mode} options={MODES} onText={setMode} />
        {mode === 'agent' && (
          <Select
            name="default-agent-pool"
            label="Agent pool"
            value={pool}
            options={[['', 'choose'], ...(pools.data?.data ?? []).map((one) => [one.id, one.attributes.name] as const)]}
            onText={setPool}
          />
        )}
        <Select name="default-engine" label="Engine" value={engine} options={ENGINES} onText={setEngine} />
      </FieldGroup>
      <FieldGroup label="Rules">
        <Check
          name="user-tokens-enabled"
          label="Tokens of users are taken"
          help="Without, people come in by certificate or with tokens of teams alone."
          checked={users}
          onCheck={setUsers}
        />
        <Check
          name="allow-force-delete-workspaces"
          label="Whoever administers a workspace may delete it with resources in it"
          checked={force}
          onCheck={setForce}
        />
        <Check
          name="assessments-enforced"
          label="Every workspace is checked for drift"
          checked={drift}
          onCheck={setDrift}
        />
      </FieldGroup>
    </Form>
  );
}
