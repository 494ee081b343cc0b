import { workspaces } from '../../api/client.ts';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Section } from '../../components/section/Section.tsx';
import { usePlace } from '../../shell/page.ts';
import { useWorkspace } from '../../shell/workspace.ts';
import { Deletion } from './Deletion.tsx';
import { SettingsForm } from './SettingsForm.tsx';

const UPDATE = 'PATCH /workspaces/{workspace_id}';

/** How a workspace is called and carried out, and its end. */
export function WorkspaceSettingsPage() {
  const { organization, workspace, query } = useWorkspace();
  const answer = query.data;
  usePlace([
    { label: organization, to: `/${organization}/workspaces` },
    { label: workspace, to: `/${organization}/workspaces/${workspace}` },
    { label: 'Settings' },
  ]);
  const request = workspaces.request(UPDATE, {
    path: { workspace_id: answer?.data.id ?? '' },
    body: { data: { type: 'workspaces' } },
  });
  usePathLine({ request });
  if (!answer) return null;
  const may = answer.data.attributes.permissions;
  return (
    <>
      <Section title="General">
        <SettingsForm key={answer.data.id} organization={organization} workspace={answer.data} />
      </Section>
      {(may['can-destroy'] || may['can-force-delete']) && (
        <Section title="Deletion">
          <Deletion organization={organization} workspace={answer.data} />
        </Section>
      )}
    </>
  );
}
