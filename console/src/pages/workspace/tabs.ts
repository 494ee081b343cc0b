import type { LinkProps } from '@tanstack/react-router';
import * as texts from './texts.ts';
import type { Counted } from './use-counts.ts';

interface WorkspaceTab {
  readonly label: string;
  readonly to: NonNullable<LinkProps['to']>;
  readonly hasParts?: boolean;
  /** Contents whose number the tab shows. */
  readonly counts?: Counted;
}

/** Tabs of a workspace, in the order of display. A new part adds its tab here. */
export const WORKSPACE_TABS: readonly WorkspaceTab[] = [
  { label: texts.overview, to: '/$organization/workspaces/$workspace' },
  { label: texts.runs, to: '/$organization/workspaces/$workspace/runs', counts: 'runs' },
  { label: texts.commits, to: '/$organization/workspaces/$workspace/commits' },
  { label: texts.states, to: '/$organization/workspaces/$workspace/states', hasParts: true, counts: 'states' },
  { label: texts.resources, to: '/$organization/workspaces/$workspace/resources', counts: 'resources' },
  { label: texts.outputs, to: '/$organization/workspaces/$workspace/outputs', counts: 'outputs' },
  { label: texts.configurations, to: '/$organization/workspaces/$workspace/configurations' },
  { label: texts.variables, to: '/$organization/workspaces/$workspace/variables', counts: 'variables' },
  { label: texts.lockHistory, to: '/$organization/workspaces/$workspace/lock-history' },
  { label: texts.access, to: '/$organization/workspaces/$workspace/access' },
  { label: texts.settings, to: '/$organization/workspaces/$workspace/settings', hasParts: true },
];
