import type { LinkProps } from '@tanstack/react-router';
import type { Permission } from './part.tsx';

interface Part {
  readonly label: string;
  readonly to: NonNullable<LinkProps['to']>;
  readonly needs?: Permission;
}

const PARTS: readonly Part[] = [
  { label: 'General', to: '/$organization/workspaces/$workspace/settings' },
  {
    label: 'Notifications',
    to: '/$organization/workspaces/$workspace/settings/notifications',
    needs: 'can-update',
  },
  { label: 'Run triggers', to: '/$organization/workspaces/$workspace/settings/run-triggers' },
  { label: 'Run tasks', to: '/$organization/workspaces/$workspace/settings/run-tasks' },
  { label: 'State sharing', to: '/$organization/workspaces/$workspace/settings/state-sharing' },
  { label: 'Tags', to: '/$organization/workspaces/$workspace/settings/tags' },
  { label: 'Retention', to: '/$organization/workspaces/$workspace/settings/retention' },
];

/** Those that somebody with these permissions may see. */
export const partsFor = (may: Readonly<Record<Permission, boolean>>) =>
  PARTS.filter(({ needs }) => needs === undefined || may[needs]);
