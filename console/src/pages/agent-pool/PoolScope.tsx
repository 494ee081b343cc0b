import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { Check, Field, FieldGroup } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { Section } from '../../components/section/Section.tsx';
import styles from './agent-pool.module.css';
import * as texts from './texts.ts';

interface ScopeProps {
  readonly organization: string;
  readonly pool: Resources['agent-pools'];
}

/** Number of projects and workspaces offered for selection. */
const MOST = '100';

/** Settings of a pool: its name, and the workspaces that may use it. */
export function PoolScope({ organization, pool }: ScopeProps) {
  const { attributes, relationships } = pool;
  const idsOf = (name: 'allowed-workspaces' | 'allowed-projects') =>
    new Set(relationships[name].data.map(({ id }) => id));
  const [name, setName] = useState(attributes.name);
  const [forAll, setForAll] = useState(attributes['organization-scoped']);
  const [own, setOwn] = useState<ReadonlySet<string>>(idsOf('allowed-workspaces'));
  const [projects, setProjects] = useState<ReadonlySet<string>>(idsOf('allowed-projects'));
  const input = { path: { organization_name: organization }, query: { 'page[size]': MOST } };
  const allWorkspaces = useQuery({
    ...workspaces.query('GET /organizations/{organization_name}/workspaces', input),
    enabled: !forAll,
  });
  const allProjects = useQuery({
    ...workspaces.query('GET /organizations/{organization_name}/projects', input),
    enabled: !forAll,
  });
  const save = useChange(() =>
    workspaces.send('PATCH /agent-pools/{agent_pool_id}', {
      path: { agent_pool_id: pool.id },
      body: {
        data: {
          type: 'agent-pools',
          attributes: { name, 'organization-scoped': forAll },
          ...(!forAll && {
            relationships: {
              'allowed-workspaces': { data: [...own].map((id) => ({ type: 'workspaces', id })) },
              'allowed-projects': { data: [...projects].map((id) => ({ type: 'projects', id })) },
            },
          }),
        },
      },
    }),
  );
  return (
    <Section title={texts.settings}>
      <Form
        action={texts.saveSettings}
        isPrimary={false}
        onSubmit={() => save.mutate()}
        busy={save.isPending}
        fault={save.error}
        done={save.isSuccess && texts.saved}
      >
        <Field name="name" label={texts.name} maxLength={90} value={name} onText={setName} />
        <Check
          name="organization-scoped"
          label={texts.availableToEveryWorkspace}
          checked={forAll}
          onCheck={setForAll}
        />
        {!forAll && (
          <>
            <Choice
              label={texts.projects}
              all={allProjects.data?.data ?? []}
              chosen={projects}
              onChange={setProjects}
            />
            <Choice label={texts.workspaces} all={allWorkspaces.data?.data ?? []} chosen={own} onChange={setOwn} />
          </>
        )}
      </Form>
    </Section>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly all: readonly { readonly id: string; readonly attributes: { readonly name: string } }[];
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}

function Choice({ label, all, chosen, onChange }: ChoiceProps) {
  const toggle = (id: string, isOn: boolean) => {
    const next = new Set(chosen);
    if (isOn) next.add(id);
    else next.delete(id);
    onChange(next);
  };
  return (
    <FieldGroup label={label}>
      <div className={styles.choice}>
        {all.map(({ id, attributes }) => (
          <Check key={id} label={attributes.name} checked={chosen.has(id)} onCheck={(isOn) => toggle(id, isOn)} />
        ))}
      </div>
    </FieldGroup>
  );
}
