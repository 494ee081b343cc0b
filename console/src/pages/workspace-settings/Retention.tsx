import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { RetentionForm, retentionInWords } from '../../components/retention/RetentionForm.tsx';
import { Section } from '../../components/section/Section.tsx';
import { AutoDestroy } from './AutoDestroy.tsx';
import { type PartProps, partOf } from './part.tsx';
import * as texts from './texts.ts';

const AT = '/workspaces/{workspace_id}/relationships/data-retention-policy';

/** Retention of old versions and runs, and the auto-destroy time. */
export const Retention = partOf(Shows, {
  label: texts.retention,
  request: (id) => workspaces.request(`GET ${AT}`, { path: { workspace_id: id } }),
});

function Shows({ organization, workspace }: PartProps) {
  const isSet = Boolean(workspace.relationships['data-retention-policy']?.data);
  return (
    <>
      <Section title={texts.oldVersionsAndRuns}>
        {isSet ? <Own workspace={workspace} /> : <Inherited workspace={workspace} />}
      </Section>
      <Section title={texts.autoDestroy}>
        <AutoDestroy organization={organization} workspace={workspace} />
      </Section>
    </>
  );
}

type WorkspaceProps = Pick<PartProps, 'workspace'>;

/** Reads the policy only if the workspace has one, and not during its deletion: the server would return 404. */
function Own({ workspace }: WorkspaceProps) {
  const path = { workspace_id: workspace.id };
  const [isGoing, setGoing] = useState(false);
  const policy = useQuery({ ...workspaces.query(`GET ${AT}`, { path }), enabled: !isGoing });
  return (
    <QueryResult query={policy} what={texts.theDataRetentionPolicy}>
      {({ data }) => (
        <>
          <p>{retentionInWords(data)}</p>
          <PolicyForm workspace={workspace} policy={data} onGoing={setGoing} />
        </>
      )}
    </QueryResult>
  );
}

function Inherited({ workspace }: WorkspaceProps) {
  return (
    <>
      <p>{texts.theRetentionPolicyOf}</p>
      <PolicyForm workspace={workspace} policy={undefined} />
    </>
  );
}

interface PolicyFormProps extends WorkspaceProps, Pick<Parameters<typeof RetentionForm>[0], 'policy'> {
  readonly onGoing?: (isGoing: boolean) => void;
}

function PolicyForm({ workspace: { id, attributes }, policy, onGoing }: PolicyFormProps) {
  const path = { workspace_id: id };
  if (!attributes.permissions['can-update']) return null;
  return (
    <RetentionForm
      key={JSON.stringify(policy)}
      policy={policy}
      none={texts.organizationDefault}
      save={async (next) => {
        if (next) return workspaces.send(`POST ${AT}`, { path, body: { data: next } });
        onGoing?.(true);
        return workspaces.send(`DELETE ${AT}`, { path }).catch((error: unknown) => {
          onGoing?.(false);
          throw error;
        });
      }}
    />
  );
}
