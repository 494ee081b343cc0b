import type { LinkProps } from '@tanstack/react-router';

interface WorkspaceTab {
  readonly label: string;
  readonly to: NonNullable<LinkProps['to']>;
  readonly hasParts?: boolean;
}

/** The parts of a workspace, in the order in which they stand. A new part adds itself here. */
export const WORKSPACE_TABS: readonly WorkspaceTab[] = [
  { label: 'Overview', to: '/$organization/workspaces/$workspace' },
  { label: 'Runs', to: '/$organization/workspaces/$workspace/runs' },
  { label: 'States', to: '/$organization/workspaces/$workspace/states' },
  { label: 'Resources', to: '/$organization/workspaces/$workspace/resources' },
  { label: 'Outputs', to: '/$organization/workspaces/$workspace/outputs' },
  { label: 'Configurations', to: '/$organization/workspaces/$workspace/configurations' },
  { label: 'Variables', to: '/$organization/workspaces/$workspace/variables' },
  { label: 'Lock history', to: '/$organization/workspaces/$workspace/lock-history' },
  { label: 'Access', to: '/$organization/workspaces/$workspace/access' },
  { label: 'Settings', to: '/$organization/workspaces/$workspace/settings', hasParts: true },
];
