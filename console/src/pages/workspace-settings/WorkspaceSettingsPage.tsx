import { Outlet } from '@tanstack/react-router';
import { Tabs } from '../../components/tabs/Tabs.tsx';
import { useWorkspace } from '../../shell/workspace.ts';
import { partsFor } from './parts.ts';

/** The settings of a workspace, in parts; each is there for whom it is. */
export function WorkspaceSettingsPage() {
  const { organization, workspace, query } = useWorkspace();
  if (!query.data) return null;
  const params = { organization, workspace };
  return (
    <>
      <Tabs
        label={`Parts of the settings of ${workspace}`}
        tabs={partsFor(query.data.data.attributes.permissions).map(({ label, to }) => ({ label, to, params }))}
      />
      <Outlet />
    </>
  );
}
