import type { LinkProps } from '@tanstack/react-router';
import type { Permission } from './part.tsx';
import * as texts from './texts.ts';
import { versionControl } from './vcs/texts.ts';

interface Part {
  readonly label: string;
  readonly to: NonNullable<LinkProps['to']>;
  readonly needs?: Permission;
}

const PARTS: readonly Part[] = [
  { label: texts.general, to: '/$organization/workspaces/$workspace/settings' },
  { label: versionControl, to: '/$organization/workspaces/$workspace/settings/version-control' },
  {
    label: texts.notifications,
    to: '/$organization/workspaces/$workspace/settings/notifications',
    needs: 'can-update',
  },
  { label: texts.runTriggers, to: '/$organization/workspaces/$workspace/settings/run-triggers' },
  { label: texts.runTasks, to: '/$organization/workspaces/$workspace/settings/run-tasks' },
  { label: texts.schedules, to: '/$organization/workspaces/$workspace/settings/schedules' },
  { label: texts.approvals, to: '/$organization/workspaces/$workspace/settings/approvals' },
  { label: texts.stateSharing, to: '/$organization/workspaces/$workspace/settings/state-sharing' },
  { label: texts.tags, to: '/$organization/workspaces/$workspace/settings/tags' },
  { label: texts.retention, to: '/$organization/workspaces/$workspace/settings/retention' },
];

/** Returns the parts that a user with these permissions can see. */
export const partsFor = (may: Readonly<Record<Permission, boolean>>) =>
  PARTS.filter(({ needs }) => needs === undefined || may[needs]);
