import type { LinkProps } from '@tanstack/react-router';
import type { IconName } from '../components/icon/icons.tsx';
import type { Side } from '../session/session.ts';

/** A place that the side of the page leads to. */
export interface Place {
  readonly label: string;
  readonly icon: IconName;
  readonly to: NonNullable<LinkProps['to']>;
  /** Whose token it needs. */
  readonly side: Side;
  /** Behind `g`. */
  readonly key: string;
  /** It is part of an organization. */
  readonly inOrganization?: true;
}

export interface PlaceGroup {
  readonly label: string;
  readonly side: Side;
  readonly places: readonly Place[];
}

/** Everything that can be gone to, in the order in which it stands at the side. A new page adds itself here. */
export const PLACES: readonly PlaceGroup[] = [
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
      { label: 'Organizations', icon: 'projects', to: '/~organizations', side: 'workspaces', key: 'o' },
    ],
  },
  {
    label: 'Access',
    side: 'access',
    places: [
      { label: 'Inspect a certificate', icon: 'cert', to: '/~access/inspect', side: 'access', key: 'i' },
      { label: 'Roles', icon: 'role', to: '/~access/roles', side: 'access', key: 'c' },
      { label: 'Revocation lists', icon: 'crl', to: '/~access/revocation-lists', side: 'access', key: 'l' },
      { label: 'Mounts', icon: 'mounts', to: '/~access/mounts', side: 'access', key: 'n' },
      { label: 'My token', icon: 'token', to: '/~access/token', side: 'access', key: 't' },
    ],
  },
];
