import type { LinkProps } from '@tanstack/react-router';
import type { IconName } from '../components/icon/icons.tsx';
import type { Session, Side } from '../session/session.ts';

/** A place that the side of the page leads to. */
export interface Place {
  readonly label: string;
  readonly icon: IconName;
  readonly to: NonNullable<LinkProps['to']>;
  /** Whose token it needs; any, where it does not say. */
  readonly side?: Side;
  /** Behind `g`. */
  readonly key: string;
  /** Pages elsewhere that belong to it begin so. */
  readonly also?: string;
  /** It is part of an organization. */
  readonly inOrganization?: true;
}

export interface PlaceGroup {
  /** Empty above what belongs to all of it. */
  readonly label: string;
  readonly side?: Side;
  readonly places: readonly Place[];
}

/** Whether a token that is needed is there. */
export const opens = (session: Session, side: Side | undefined): boolean =>
  side === undefined || session[side] !== null;

/** Everything that can be gone to, in the order in which it stands at the side. A new page adds itself here. */
export const PLACES: readonly PlaceGroup[] = [
  { label: '', places: [{ label: 'Overview', icon: 'overview', to: '/~overview', key: 'h' }] },
  {
    label: 'Workspaces',
    side: 'workspaces',
    places: [
      {
        label: 'Workspaces',
        icon: 'workspaces',
        to: '/$organization/workspaces',
        side: 'workspaces',
        key: 'w',
        inOrganization: true,
      },
      { label: 'Runs', icon: 'runs', to: '/$organization/runs', side: 'workspaces', key: 'r', inOrganization: true },
      {
        label: 'Projects',
        icon: 'projects',
        to: '/$organization/projects',
        side: 'workspaces',
        key: 'p',
        inOrganization: true,
      },
      {
        label: 'Teams',
        icon: 'teams',
        to: '/$organization/teams',
        side: 'workspaces',
        key: 'm',
        inOrganization: true,
      },
      {
        label: 'Variable sets',
        icon: 'vars',
        to: '/$organization/variable-sets',
        side: 'workspaces',
        key: 'v',
        inOrganization: true,
      },
      {
        label: 'Agents',
        icon: 'agents',
        to: '/$organization/agents',
        side: 'workspaces',
        key: 'a',
        inOrganization: true,
      },
      {
        label: 'Settings',
        icon: 'settings',
        to: '/$organization/settings',
        side: 'workspaces',
        key: 's',
        inOrganization: true,
      },
      { label: 'Organizations', icon: 'mounts', to: '/~organizations', side: 'workspaces', key: 'o' },
    ],
  },
  {
    label: 'Access',
    side: 'access',
    places: [
      { label: 'Inspect a certificate', icon: 'cert', to: '/~access/inspect', side: 'access', key: 'i' },
      {
        label: 'Machine identities',
        icon: 'machine',
        to: '/~access/machine-identities',
        side: 'access',
        key: 'b',
      },
      { label: 'Roles', icon: 'role', to: '/~access/roles', also: '/~access/jwt', side: 'access', key: 'c' },
      { label: 'Revocation lists', icon: 'crl', to: '/~access/revocation-lists', side: 'access', key: 'l' },
      { label: 'Mounts', icon: 'mounts', to: '/~access/mounts', side: 'access', key: 'n' },
      { label: 'Policies', icon: 'policy', to: '/~access/policies', side: 'access', key: 'y' },
      { label: 'Tokens', icon: 'token', to: '/~access/tokens', side: 'access', key: 'k' },
      { label: 'Identities', icon: 'identity', to: '/~access/identities', side: 'access', key: 'e' },
      { label: 'My token', icon: 'token', to: '/~access/token', side: 'access', key: 't' },
    ],
  },
  {
    label: 'Server',
    side: 'access',
    places: [
      { label: 'Audit record', icon: 'audit', to: '/~server/audit', side: 'access', key: 'u' },
      { label: 'Health', icon: 'health', to: '/~server/health', side: 'access', key: 'f' },
      { label: 'Users', icon: 'identity', to: '/~server/users', side: 'workspaces', key: 'x' },
    ],
  },
];
