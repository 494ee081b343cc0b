import type { OrganizationAnswer } from '../../shell/organization.ts';
import * as texts from './texts.ts';
import { versionControl } from './version-control/texts.ts';

type Permissions = OrganizationAnswer['data']['attributes']['permissions'];

const PARTS = [
  { label: texts.general, to: '/$organization/settings' },
  { label: texts.tokens, to: '/$organization/settings/tokens', needs: ['can-update-api-token'] },
  { label: texts.signIn, to: '/$organization/settings/sign-in', needs: ['can-manage-sso'] },
  { label: texts.retention, to: '/$organization/settings/retention' },
  { label: texts.tags, to: '/$organization/settings/tags' },
  { label: texts.runTasks, to: '/$organization/settings/run-tasks', needs: ['can-read-run-tasks'] },
  { label: texts.notifications, to: '/$organization/settings/notifications', needs: ['can-update'] },
  { label: texts.sshKeys, to: '/$organization/settings/ssh-keys', needs: ['can-update-ssh-keys'] },
  {
    label: versionControl,
    to: '/$organization/settings/version-control',
    needs: ['can-update-oauth', 'can-create-workspace'],
    hasParts: true,
  },
  { label: texts.deletedWorkspaces, to: '/$organization/settings/recoverable', needs: ['can-create-workspace'] },
  { label: texts.capacity, to: '/$organization/settings/capacity' },
  { label: texts.deletion, to: '/$organization/settings/deletion', needs: ['can-destroy'] },
] as const satisfies readonly {
  label: string;
  to: string;
  needs?: readonly (keyof Permissions)[];
  hasParts?: true;
}[];

/** Tabs for which the user has a permission. */
export const partsFor = (may: Permissions) =>
  PARTS.filter((part) => !('needs' in part) || part.needs.some((one) => may[one]));
