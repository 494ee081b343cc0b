import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { announce } from '../../components/copy/announce.ts';
import { Area, Check, Field, FieldGroup, Select } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { changesOf, type Filled, filledOf } from './settings.ts';
import * as texts from './texts.ts';

interface SettingsFormProps {
  readonly organization: string;
  readonly workspace: Resources['workspaces'];
}

const ENGINES = [
  ['', texts.organizationDefault],
  ['opentofu', 'OpenTofu'],
  ['terraform', 'Terraform'],
] as const;

/** Form for the settings of a workspace. The server's error is shown beside the setting that it names. */
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
      announce(texts.saved2);
      const params = { organization, workspace: data.attributes.name };
      if (data.attributes.name !== attributes.name) {
        await navigate({ to: '/$organization/workspaces/$workspace/settings', params, replace: true });
      }
    },
  );
  const set = (change: Partial<Filled>) => setAfter((known) => ({ ...known, ...change }));
  const off = !mayChange && texts.youHaveNoPermission;
  return (
    <Form
      action={texts.save}
      isPrimary={mayChange}
      busy={save.isPending}
      fault={save.error}
      off={off ? texts.requiresCanUpdate : isSame && texts.noChanges}
      done={save.isSuccess && isSame && texts.saved2}
      onSubmit={() => save.mutate()}
    >
      <FieldGroup label={texts.nameAndDescription}>
        <Field
          name="name"
          label={texts.name}
          help={after.name === before.name ? texts.configurationsReferToThe : texts.configurationsWithTheOld}
          off={off}
          value={after.name}
          onText={(name) => set({ name })}
        />
        <Area
          name="description"
          label={texts.description}
          rows={2}
          off={off}
          value={after.description}
          onText={(description) => set({ description })}
        />
      </FieldGroup>
      <FieldGroup label={texts.execution}>
        <Select
          name="execution-mode"
          label={texts.executionMode}
          off={off}
          value={after.mode}
          options={[
            ['', before.mode === '' ? texts.projectDefault2(attributes['execution-mode']) : texts.projectDefault],
            ['remote', texts.remoteAgentsOfThis],
            ['agent', texts.agentAgentsOfA],
            ['local', texts.localTheCommandLine],
          ]}
          onText={(mode) => set({ mode, ...(mode !== 'agent' && { pool: '' }) })}
        />
        {after.mode === 'agent' && (
          <Pool organization={organization} pool={after.pool} off={off} onPool={(pool) => set({ pool })} />
        )}
        <Select
          name="engine"
          label={texts.engine}
          off={off}
          value={after.engine}
          options={ENGINES}
          onText={(engine) => set({ engine })}
        />
        <Field
          name="engine-version"
          label={texts.engineVersion}
          help={texts.forExample111}
          off={off}
          value={after.version}
          onText={(version) => set({ version })}
          spellCheck={false}
        />
        <Field
          name="working-directory"
          label={texts.workingDirectory}
          help={texts.directoryOfTheConfiguration}
          off={off}
          value={after.directory}
          onText={(directory) => set({ directory })}
          spellCheck={false}
        />
      </FieldGroup>
      <FieldGroup label={texts.runs}>
        <Check
          name="auto-apply"
          label={texts.autoApply}
          help={texts.plansThatSucceedAre}
          off={off}
          checked={after.autoApply}
          onCheck={(autoApply) => set({ autoApply })}
        />
        <Check
          name="allow-destroy-plan"
          label={texts.allowDestroyPlans}
          off={off}
          checked={after.destroyPlan}
          onCheck={(destroyPlan) => set({ destroyPlan })}
        />
        <Check
          name="structured-run-output-enabled"
          label={texts.structuredOutput}
          off={off}
          checked={after.structured}
          onCheck={(structured) => set({ structured })}
        />
        <Check
          name="assessments-enabled"
          label={texts.healthAssessments}
          help={texts.looksForDriftOnce}
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
  return <Select name="agent-pool-id" label={texts.agentPool} off={off} value={pool} options={known} onText={onPool} />;
}
