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
import * as texts from './texts.ts';

const UPDATE = 'PATCH /organizations/{organization_name}';
const MODES = [
  ['remote', texts.remoteAgentsOfThe],
  ['agent', texts.agentAgentsOfA],
  ['local', texts.localTheClientPlans],
] as const;
const ENGINES = [
  ['opentofu', 'OpenTofu'],
  ['terraform', 'Terraform'],
] as const;

/** Name of an organization, and the defaults of its workspaces. */
export function General() {
  const { organization, answer } = usePart(
    texts.general,
    (name) => workspaces.request('GET /organizations/{organization_name}', { path: { organization_name: name } }),
    (name) => `lockkeeper api GET organizations/${name}`,
  );
  if (!answer) return null;
  const { attributes } = answer.data;
  return (
    <Section title={texts.general}>
      {attributes.permissions['can-update'] ? (
        <GeneralForm key={organization} organization={organization} answer={answer} />
      ) : (
        <Facts
          of={[
            [texts.id, <Copyable key="id" text={attributes['external-id']} what={texts.id2} />],
            [texts.name, <bdi key="name">{attributes.name}</bdi>],
            [texts.email, <bdi key="email">{attributes.email}</bdi>],
            [texts.execution, attributes['default-execution-mode']],
            [texts.engine, attributes['default-engine']],
            [texts.created, day(attributes['created-at'])],
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
  const [idle, setIdle] = useState(minutesText(attributes['session-timeout']));
  const [lifetime, setLifetime] = useState(minutesText(attributes['session-remember']));
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
              'session-remember': minutesOf(lifetime),
              'session-timeout': minutesOf(idle),
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
      action={texts.save}
      onSubmit={() => save.mutate()}
      busy={save.isPending}
      fault={save.error}
      done={save.isSuccess && texts.saved}
    >
      <Field
        name="name"
        label={texts.name}
        help={name === organization ? texts.partOfEveryUrl : texts.commandLinesAndLinks}
        value={name}
        onText={setName}
      />
      <Field name="email" label={texts.email} type="email" value={email} onText={setEmail} />
      <FieldGroup label={texts.newWorkspaces}>
        <Select name="default-execution-mode" label={texts.execution} value={mode} options={MODES} onText={setMode} />
        {mode === 'agent' && (
          <Select
            name="default-agent-pool"
            label={texts.agentPool}
            value={pool}
            options={[
              ['', texts.select],
              ...(pools.data?.data ?? []).map((one) => [one.id, one.attributes.name] as const),
            ]}
            onText={setPool}
          />
        )}
        <Select name="default-engine" label={texts.engine} value={engine} options={ENGINES} onText={setEngine} />
      </FieldGroup>
      <FieldGroup label={texts.policies}>
        <Check
          name="user-tokens-enabled"
          label={texts.allowUserTokens}
          help={texts.ifOffOnlyClient}
          checked={users}
          onCheck={setUsers}
        />
        <Check
          name="allow-force-delete-workspaces"
          label={texts.administratorsOfAWorkspace}
          checked={force}
          onCheck={setForce}
        />
        <Check
          name="assessments-enforced"
          label={texts.checkEveryWorkspaceForDrift}
          checked={drift}
          onCheck={setDrift}
        />
      </FieldGroup>
      <FieldGroup label={texts.sessionsOfMembers}>
        <Field
          name="session-timeout"
          label={texts.sessionIdle}
          help={texts.emptyTheTimesOf}
          inputMode="numeric"
          value={idle}
          onText={setIdle}
        />
        <Field
          name="session-remember"
          label={texts.sessionLifetime}
          inputMode="numeric"
          value={lifetime}
          onText={setLifetime}
        />
      </FieldGroup>
    </Form>
  );
}

const minutesText = (minutes: number | null): string => (minutes === null ? '' : String(minutes));

/** Anything that is no number is refused by the server, beside its field. */
const minutesOf = (text: string): number | null => (text.trim() === '' ? null : ((Number(text) || text) as number));
