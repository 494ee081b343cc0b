import type { OrganizationAnswer } from '../../shell/organization.ts';

type Permissions = OrganizationAnswer['data']['attributes']['permissions'];

const PARTS = [
  { label: 'General', to: '/$organization/settings' },
  { label: 'Tokens', to: '/$organization/settings/tokens', needs: ['can-update-api-token'] },
  { label: 'Sign-in', to: '/$organization/settings/sign-in', needs: ['can-manage-sso'] },
  { label: 'Retention', to: '/$organization/settings/retention' },
  { label: 'Tags', to: '/$organization/settings/tags' },
  { label: 'Run tasks', to: '/$organization/settings/run-tasks', needs: ['can-read-run-tasks'] },
  { label: 'SSH keys', to: '/$organization/settings/ssh-keys', needs: ['can-update-ssh-keys'] },
  {
    label: 'Connections',
    to: '/$organization/settings/connections',
    needs: ['can-update-oauth', 'can-create-workspace'],
  },
  { label: 'Recoverable', to: '/$organization/settings/recoverable', needs: ['can-create-workspace'] },
  { label: 'Capacity', to: '/$organization/settings/capacity' },
  { label: 'Deletion', to: '/$organization/settings/deletion', needs: ['can-destroy'] },
] as const satisfies readonly { label: string; to: string; needs?: readonly (keyof Permissions)[] }[];

/** Those that somebody with these permissions has something to do at. */
export const partsFor = (may: Permissions) =>
  PARTS.filter((part) => !('needs' in part) || part.needs.some((one) => may[one]));
