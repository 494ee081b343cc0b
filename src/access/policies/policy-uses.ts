import { type Database, sql } from '../../storage/index.ts';
import { component, integer, listOf, text, texts } from '../operation/schema.ts';

/** @limit names of each type in a response about the uses of a policy, names -> the others are counted */
const MOST_NAMED = 100;
/** @limit counted uses of each type in a response about the uses of a policy, uses -> the others are not counted */
const MOST_COUNTED = 1_000;

const Named = component('PolicyUser', { id: text(), name: text() });
const MountedRole = component('PolicyUserRole', {
  mount_path: text("Path of the role's mount, such as `auth/cert/`."),
  name: text(),
});

export const PolicyUses = component(
  'PolicyUses',
  {
    roles: listOf(MountedRole, 'Roles whose logins get the policy.'),
    token_roles: texts('Token roles that allow the policy by name.'),
    entities: listOf(Named),
    groups: listOf(Named),
    counts: component('PolicyUseCounts', {
      roles: integer(),
      token_roles: integer(),
      entities: integer(),
      groups: integer(),
    }),
  },
  'Uses of a policy in roles, token roles, entities and groups. Tokens are not searched.',
);

const KINDS = { roles: 'role', token_roles: 'token_role', entities: 'entity', groups: 'group' } as const;
type ByPolicy = { policy: string };
type Some = ByPolicy & { most: number };

const roles = sql<Some, { mount_path: string; name: string }>(
  `SELECT 'auth/' || mount.path || '/' AS mount_path, holder AS name FROM policy_use JOIN mount ON mount.id = policy_use.scope
   WHERE policy = :policy AND kind = 'role' AND mount.removed_at IS NULL ORDER BY scope, holder LIMIT :most`,
);
const tokenRoles = sql<Some, { name: string }>(
  `SELECT holder AS name FROM policy_use WHERE policy = :policy AND kind = 'token_role' ORDER BY holder LIMIT :most`,
);
const entities = sql<Some, { id: string; name: string }>(
  `SELECT entity.id, entity.name FROM policy_use JOIN entity ON entity.id = policy_use.holder
   WHERE policy = :policy AND kind = 'entity' ORDER BY holder LIMIT :most`,
);
const groups = sql<Some, { id: string; name: string }>(
  `SELECT identity_group.id, identity_group.name FROM policy_use JOIN identity_group ON identity_group.id = policy_use.holder
   WHERE policy = :policy AND kind = 'group' ORDER BY holder LIMIT :most`,
);
const counted = sql<Some & { kind: string }, { count: number }>(
  `SELECT count(*) AS count FROM (
     SELECT holder FROM policy_use WHERE policy = :policy AND kind = :kind AND (scope = '' OR EXISTS (
       SELECT 1 FROM mount WHERE mount.id = policy_use.scope AND mount.removed_at IS NULL)) LIMIT :most) AS found`,
);

/**
 * Returns the uses of a policy from the table that triggers maintain, at a cost that does not depend on the number of
 * roles.
 */
export async function policyUses(database: Database, policy: string): Promise<Record<string, unknown>> {
  const some = { policy, most: MOST_NAMED };
  const counts: Record<string, number> = {};
  for (const [name, kind] of Object.entries(KINDS))
    counts[name] = (await database.one(counted, { policy, kind, most: MOST_COUNTED }))?.count ?? 0;
  return {
    roles: await database.all(roles, some),
    token_roles: (await database.all(tokenRoles, some)).map(({ name }) => name),
    entities: await database.all(entities, some),
    groups: await database.all(groups, some),
    counts,
  };
}
