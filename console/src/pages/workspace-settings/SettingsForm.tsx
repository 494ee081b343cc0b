import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { announce } from '../../components/copy/announce.ts';
import { Area, Check, Field, FieldGroup, Select } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { changesOf, type Filled, filledOf } from './settings.ts';

interface SettingsFormProps {
  readonly organization: string;
  readonly workspace: Resources['workspaces'];
}

const ENGINES = [
  ['', 'as the organization says'],
  ['opentofu', 'OpenTofu'],
  ['terraform', 'Terraform'],
] as const;

/** Each thing that can be set; what the server says of one stands beside it. */
export function SettingsForm({ organization, workspace }: SettingsFormProps) {
  const { id, attributes, relationships } = workspace;
  const before = filledOf(attributes, relationships['agent-pool']?.data?.id);
  const [after, setAfter] = useState(before);
  const navigate = useNavigate();
  const mayChange = attributes.permissions['can-update'];
  const changes = changesOf(before, after);
  const isSame = Object.keys(changes).length === 0;
  const save = useChange(
    () =>
      workspaces.send('PATCH /workspaces/{workspace_id}', {
        path: { workspace_id: id },
        body: { data: { type: 'workspaces', attributes: changes } } as never,
      }),
    async ({ data }) => {
      announce('Saved');
      const params = { organization, workspace: data.attributes.name };
      if (data.attributes.name !== attributes.name) {
        await navigate({ to: '/$organization/workspaces/$workspace/settings', params, replace: true });
      }
    },
  );
  const set = (change: Partial<Filled>) => setAfter((known) => ({ ...known, ...change }));
  const off = !mayChange && 'You may not change it';
  return (
    <Form
      action="Save"
      isPrimary={mayChange}
      busy={save.isPending}
      fault={save.error}
      off={off ? 'It takes can-update' : isSame && 'Nothing has changed'}
      done={save.isSuccess && isSame && 'Saved'}
      onSubmit={() => save.mutate()}
    >
      <FieldGroup label="What it is called">
        <Field
          name="name"
          label="Name"
          help={
            after.name === before.name
              ? 'Command lines find it by this name.'
              : 'Configurations that name it by its old name find it no more.'
          }
          off={off}
          value={after.name}
          onText={(name) => set({ name })}
        />
        <Area
          name="description"
          label="Description"
          rows={2}
          off={off}
          value={after.description}
          onText={(description) => set({ description })}
        />
      </FieldGroup>
      <FieldGroup label="How it is carried out">
        <Select
          name="execution-mode"
          label="Execution"
          off={off}
          value={after.mode}
          options={[
            ['', before.mode === '' ? `as the project says: ${attributes['execution-mode']}` : 'as the project says'],
            ['remote', 'remote: agents of the installation plan and apply'],
            ['agent', 'agent: agents of a pool plan and apply'],
            ['local', 'local: whoever calls plans and applies, the state is here'],
          ]}
          onText={(mode) => set({ mode, ...(mode !== 'agent' && { pool: '' }) })}
        />
        {after.mode === 'agent' && (
          <Pool organization={organization} pool={after.pool} off={off} onPool={(pool) => set({ pool })} />
        )}
        <Select
          name="engine"
          label="Engine"
          off={off}
          value={after.engine}
          options={ENGINES}
          onText={(engine) => set({ engine })}
        />
        <Field
          name="engine-version"
          label="Version of the engine"
          help="1.11.0, a constraint such as ~> 1.10, or latest."
          off={off}
          value={after.version}
          onText={(version) => set({ version })}
          spellCheck={false}
        />
        <Field
          name="working-directory"
          label="Working directory"
          help="Where in the configuration it begins; empty: at its root."
          off={off}
          value={after.directory}
          onText={(directory) => set({ directory })}
          spellCheck={false}
        />
      </FieldGroup>
      <FieldGroup label="Runs">
        <Check
          name="auto-apply"
          label="Auto-apply"
          help="A plan that went well is applied, and nobody is asked."
          off={off}
          checked={after.autoApply}
          onCheck={(autoApply) => set({ autoApply })}
        />
        <Check
          name="allow-destroy-plan"
          label="Allow destroy plans"
          off={off}
          checked={after.destroyPlan}
          onCheck={(destroyPlan) => set({ destroyPlan })}
        />
        <Check
          name="speculative-enabled"
          label="Speculative plans"
          help="Plans of pull requests, which are never applied."
          off={off}
          checked={after.speculative}
          onCheck={(speculative) => set({ speculative })}
        />
        <Check
          name="structured-run-output-enabled"
          label="Structured output"
          off={off}
          checked={after.structured}
          onCheck={(structured) => set({ structured })}
        />
        <Check
          name="assessments-enabled"
          label="Health assessments"
          help="Once a day it is looked for what has drifted."
          off={off}
          checked={after.assessments}
          onCheck={(assessments) => set({ assessments })}
        />
      </FieldGroup>
    </Form>
  );
}

interface PoolProps {
  readonly organization: string;
  readonly pool: string;
  readonly off: string | false;
  readonly onPool: (pool: string) => void;
}

function Pool({ organization, pool, off, onPool }: PoolProps) {
  const pools = useQuery(
    workspaces.query('GET /organizations/{organization_name}/agent-pools', {
      path: { organization_name: organization },
      query: { 'page[size]': '100' },
    }),
  );
  const options = (pools.data?.data ?? []).map(({ id, attributes: { name } }) => [id, name] as const);
  const known = options.some(([id]) => id === pool) ? options : [[pool, pool] as const, ...options];
  return <Select name="agent-pool-id" label="Agent pool" off={off} value={pool} options={known} onText={onPool} />;
}
