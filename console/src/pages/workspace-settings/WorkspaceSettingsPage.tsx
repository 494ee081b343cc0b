import { Outlet } from '@tanstack/react-router';
import { Tabs } from '../../components/tabs/Tabs.tsx';
import { useWorkspace } from '../../shell/workspace.ts';
import { partsFor } from './parts.ts';
import * as texts from './texts.ts';

/** Settings of a workspace, in tabs. Each tab is shown only to users with the permission for it. */
export function WorkspaceSettingsPage() {
  const { organization, workspace, query } = useWorkspace();
  if (!query.data) return null;
  const params = { organization, workspace };
  return (
    <>
      <Tabs
        label={texts.partsOfTheSettingsOf(workspace)}
        tabs={partsFor(query.data.data.attributes.permissions).map(({ label, to }) => ({ label, to, params }))}
      />
      <Outlet />
    </>
  );
}
