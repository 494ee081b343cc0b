import { workspaces } from '../../api/client.ts';
import { Section } from '../../components/section/Section.tsx';
import { Deletion } from './Deletion.tsx';
import { type PartProps, partOf } from './part.tsx';
import { SettingsForm } from './SettingsForm.tsx';
import { SshKey } from './SshKey.tsx';
import * as texts from './texts.ts';

/** General settings of a workspace, and its deletion. */
export const General = partOf(Shows, {
  request: (id) =>
    workspaces.request('PATCH /workspaces/{workspace_id}', {
      path: { workspace_id: id },
      body: { data: { type: 'workspaces' } },
    }),
});

function Shows({ organization, workspace }: PartProps) {
  const may = workspace.attributes.permissions;
  return (
    <>
      <Section title={texts.general}>
        <SettingsForm organization={organization} workspace={workspace} />
      </Section>
      <Section title={texts.sshKey}>
        <SshKey organization={organization} workspace={workspace} />
      </Section>
      {(may['can-destroy'] || may['can-force-delete']) && (
        <Section title={texts.deletion}>
          <Deletion organization={organization} workspace={workspace} />
        </Section>
      )}
    </>
  );
}
