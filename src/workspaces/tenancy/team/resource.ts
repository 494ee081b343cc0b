import { Type } from 'typebox';
import { isoTime } from '../../../lib/clock.ts';
import type { Relationship } from '../../jsonapi/document.ts';
import { nullable, nullableEnum, text } from '../../jsonapi/schema.ts';
import { attribute, is, optional, relationship, required, resourceOf, toOne } from '../../resource/index.ts';
import { ACCESS_FLAGS, type AccessFlag, ALL_ACCESS } from '../permissions/grants.ts';
import { TEAM_PERMISSIONS } from '../permissions/team.ts';
import type { TeamView } from './teams.ts';

/** Ids of a team's members, as far as the client includes them. */
export interface ShownMembers {
  readonly users?: readonly string[] | undefined;
  readonly memberships?: readonly string[] | undefined;
}

const flag = nullable(Type.Boolean());
const flags = Object.fromEntries(ACCESS_FLAGS.map((name) => [name, Type.Optional(flag)]));
const Access = Type.Object(flags as Record<AccessFlag, ReturnType<typeof Type.Optional<typeof flag>>>);

/** A team as the caller sees it. */
export const TeamResource = resourceOf<TeamView, [members?: ShownMembers]>()('teams', {
  attributes: {
    name: attribute(is.text, 'name', required(text(90))),
    visibility: attribute(
      Type.Enum(['secret', 'organization']),
      'visibility',
      optional(nullableEnum(['secret', 'organization'])),
    ),
    'users-count': attribute(is.integer, 'userCount'),
    'is-unified': attribute(is.flag, () => false),
    'sso-team-id': attribute(is.textOrNull, 'ssoTeamId', optional(nullable(text(255)))),
    // Absent while SCIM provisioning is off: clients treat missing attributes as a server without SCIM.
    'scim-linked': attribute(Type.Optional(is.flag), (team) => whileScim(team, team.scimGroupName !== null)),
    'scim-group-name': attribute(Type.Optional(is.textOrNull), (team) => whileScim(team, team.scimGroupName)),
    'scim-sync-paused': attribute(Type.Optional(is.flag), (team) => whileScim(team, team.scimPaused === 1)),
    'scim-updated-at': attribute(Type.Optional(is.timeOrNull), (team) =>
      whileScim(team, team.scimUpdatedAt === null ? null : isoTime(team.scimUpdatedAt)),
    ),
    'allow-member-token-management': attribute(is.flag, 'allowsMemberTokens', optional(flag)),
    'organization-access': attribute(
      is.flags(ACCESS_FLAGS),
      ({ owners, access }) => (owners ? ALL_ACCESS : access),
      optional(nullable(Access)),
    ),
    permissions: attribute(is.flags(TEAM_PERMISSIONS), 'permissions'),
  },
  relationships: {
    organization: toOne('organizations', 'organizationName'),
    users: relationship(Type.Optional(is.toMany('users')), (_, members) => pointAt('users', members?.users)),
    'organization-memberships': relationship(Type.Optional(is.toMany('organization-memberships')), (_, members) =>
      pointAt('organization-memberships', members?.memberships),
    ),
  },
  links: ({ id }) => ({ self: `/api/v2/teams/${id}` }),
});

function whileScim<Value>({ scimEnabled }: TeamView, value: Value): Value | undefined {
  return scimEnabled === 1 ? value : undefined;
}

function pointAt(type: string, ids: readonly string[] | undefined): Relationship | undefined {
  return ids && { data: ids.map((id) => ({ type, id })) };
}
