import type { LinkProps } from '@tanstack/react-router';
import type { IconName } from '../components/icon/icons.tsx';
import type { Session, Side } from '../session/session.ts';
import * as texts from './texts.ts';

/** An entry of the side navigation. */
export interface Place {
  readonly label: string;
  readonly icon: IconName;
  readonly to: NonNullable<LinkProps['to']>;
  /** API whose token the page needs; undefined if either is enough. */
  readonly side?: Side;
  /** Second key of the shortcut `g <key>`. */
  readonly key: string;
  /** Prefix of other paths for which this entry is shown as current. */
  readonly also?: string;
  /** The page belongs to an organization. */
  readonly inOrganization?: true;
  /** Only site administrators may open the page. */
  readonly forSiteAdmins?: true;
}

export interface PlaceGroup {
  /** Empty for the group without a heading. */
  readonly label: string;
  readonly side?: Side;
  readonly places: readonly Place[];
}

/** Whether the session has a token for the API. */
export const opens = (session: Session, side: Side | undefined): boolean =>
  side === undefined || session[side] !== null;

/** All navigation entries in their order. Every new page adds its entry here. */
const PLACES: readonly PlaceGroup[] = [
  { label: '', places: [{ label: texts.overview, icon: 'overview', to: '/~overview', key: 'h' }] },
  {
    label: texts.workspaces,
    side: 'workspaces',
    places: [
      {
        label: texts.workspaces,
        icon: 'workspaces',
        to: '/$organization/workspaces',
        side: 'workspaces',
        key: 'w',
        inOrganization: true,
      },
      {
        label: texts.runs,
        icon: 'runs',
        to: '/$organization/runs',
        side: 'workspaces',
        key: 'r',
        inOrganization: true,
      },
      {
        label: texts.explorer,
        icon: 'table',
        to: '/$organization/explorer',
        side: 'workspaces',
        key: 'q',
        inOrganization: true,
      },
      {
        label: texts.projects,
        icon: 'projects',
        to: '/$organization/projects',
        side: 'workspaces',
        key: 'p',
        inOrganization: true,
      },
      {
        label: texts.teams,
        icon: 'teams',
        to: '/$organization/teams',
        side: 'workspaces',
        key: 'm',
        inOrganization: true,
      },
      {
        label: texts.variableSets,
        icon: 'vars',
        to: '/$organization/variable-sets',
        side: 'workspaces',
        key: 'v',
        inOrganization: true,
      },
      {
        label: texts.agents,
        icon: 'agents',
        to: '/$organization/agents',
        side: 'workspaces',
        key: 'a',
        inOrganization: true,
      },
      {
        label: texts.settings,
        icon: 'settings',
        to: '/$organization/settings',
        side: 'workspaces',
        key: 's',
        inOrganization: true,
      },
      { label: texts.organizations, icon: 'organizations', to: '/~organizations', side: 'workspaces', key: 'o' },
    ],
  },
  {
    label: texts.access,
    side: 'access',
    places: [
      { label: texts.certificateInspector, icon: 'cert', to: '/~access/inspect', side: 'access', key: 'i' },
      {
        label: texts.machineIdentities,
        icon: 'machine',
        to: '/~access/machine-identities',
        side: 'access',
        key: 'b',
      },
      { label: texts.roles, icon: 'role', to: '/~access/roles', also: '/~access/jwt', side: 'access', key: 'c' },
      { label: texts.crls, icon: 'crl', to: '/~access/revocation-lists', side: 'access', key: 'l' },
      { label: texts.mounts, icon: 'mounts', to: '/~access/mounts', side: 'access', key: 'n' },
      { label: texts.policies, icon: 'policy', to: '/~access/policies', side: 'access', key: 'y' },
      { label: texts.tokens, icon: 'token', to: '/~access/tokens', side: 'access', key: 'k' },
      { label: texts.identities, icon: 'identity', to: '/~access/identities', side: 'access', key: 'e' },
      { label: texts.myToken, icon: 'pass', to: '/~access/token', side: 'access', key: 't' },
    ],
  },
  {
    label: texts.server,
    side: 'access',
    places: [
      { label: texts.auditLog, icon: 'audit', to: '/~server/audit', side: 'access', key: 'u' },
      { label: texts.health, icon: 'health', to: '/~server/health', side: 'access', key: 'f' },
      {
        label: texts.users,
        icon: 'users',
        to: '/~server/users',
        side: 'workspaces',
        key: 'x',
        forSiteAdmins: true,
      },
    ],
  },
];

/** Returns the navigation entries that may be offered to this session. */
export const placesOf = ({ workspaces: who }: Session): readonly PlaceGroup[] =>
  who?.is_site_admin ? PLACES : FOR_ALL;

const FOR_ALL: readonly PlaceGroup[] = PLACES.map(({ places, ...group }) => ({
  ...group,
  places: places.filter(({ forSiteAdmins }) => !forSiteAdmins),
}));
