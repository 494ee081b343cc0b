import { LRUCache } from 'lru-cache';
import { AppError } from '../../../lib/errors.ts';
import { type Database, sql } from '../../../storage/index.ts';
import { normalizePolicies } from '../../acl/index.ts';
import type { Metadata } from '../common/metadata.ts';

/**
 * Maximum number of an entity's groups, direct and inherited.
 * @limit groups of an entity, direct and inherited, groups -> its tokens get 403 with the reason
 */
const MOST_GROUPS = 500;
/**
 * @limit groups and policies of entities in memory (estimated), bytes -> the least recently used ones are read again
 */
const MOST_BYTES = 32 * 1024 * 1024;
const ENTRY_BYTES = 300;

/** A group of an entity. */
export interface GrantedGroup {
  readonly id: string;
  readonly name: string;
  readonly metadata: Metadata;
  readonly policies: readonly string[];
  /** Whether the entity is a member itself, not only of a nested group. */
  readonly direct: boolean;
}

/** Policies and groups that an entity adds to its tokens. */
export interface EntityGrants {
  /** Policies of the entity itself. */
  readonly own: readonly string[];
  /** Groups in order of ids. */
  readonly groups: readonly GrantedGroup[];
  /** All policies of the entity and its groups, normalized. Never `root`. */
  readonly policies: readonly string[];
}

interface Kept {
  readonly version: number;
  readonly grants: EntityGrants;
}

type GroupRow = { id: string; name: string; metadata: string; policies: string; direct: number };

const ownPolicies = sql<{ entity_id: string }, { policies: string }>(
  'SELECT policies FROM entity WHERE id = :entity_id',
);
// Walks from the entity's groups upwards, and visits each group once. The cost depends only on these groups.
const heldGroups = sql<{ entity_id: string; most: number }, GroupRow>(
  `SELECT identity_group.id, name, metadata, policies, CASE WHEN EXISTS (
       SELECT 1 FROM group_entity WHERE entity_id = :entity_id AND group_id = identity_group.id) THEN 1 ELSE 0 END AS direct
   FROM (
     WITH RECURSIVE held (id) AS (
       SELECT group_id FROM group_entity WHERE entity_id = :entity_id
       UNION
       SELECT group_member.group_id FROM held JOIN group_member ON group_member.member_id = held.id
     )
     SELECT id FROM held LIMIT :most) AS reached
   JOIN identity_group ON identity_group.id = reached.id ORDER BY identity_group.id`,
);

export const NO_GRANTS: EntityGrants = { own: [], groups: [], policies: [] };

/**
 * Read-through cache of holdings. A token or alias lookup also reads the identity version, so that a change on any
 * node applies to the next request.
 */
export class EntityGrantsCache {
  readonly #database: Database;
  readonly #kept = new LRUCache<string, Kept>({ maxSize: MOST_BYTES });

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Returns the holdings at this version or later.
   * @param version version that the caller has read before
   * @throws AppError forbidden for an entity with too many groups
   */
  async grantsOf(entityId: string, version: number): Promise<EntityGrants> {
    // Version 0: no entity or group was ever written.
    if (version === 0) return NO_GRANTS;
    const known = this.#kept.get(entityId);
    if (known && known.version >= version) return known.grants;
    const grants = await this.read(entityId);
    this.#kept.set(entityId, { version, grants }, { size: bytesOf(grants) });
    return grants;
  }

  /** Reads the current holdings. */
  async read(entityId: string): Promise<EntityGrants> {
    const [entity, rows] = await Promise.all([
      this.#database.one(ownPolicies, { entity_id: entityId }),
      this.#database.all(heldGroups, { entity_id: entityId, most: MOST_GROUPS + 1 }),
    ]);
    if (rows.length > MOST_GROUPS) {
      throw new AppError(
        'forbidden',
        `the entity belongs to more than ${MOST_GROUPS} groups, directly or through other groups`,
      );
    }
    const own: string[] = entity ? JSON.parse(entity.policies) : [];
    if (own.length === 0 && rows.length === 0) return NO_GRANTS;
    const groups = rows.map(toGroup);
    const names = normalizePolicies([...own, ...groups.flatMap(({ policies }) => policies)]);
    return { own, groups, policies: names.filter((name) => name !== 'root') };
  }
}

function toGroup({ id, name, metadata, policies, direct }: GroupRow): GrantedGroup {
  return { id, name, metadata: JSON.parse(metadata), policies: JSON.parse(policies), direct: direct === 1 };
}

function bytesOf({ own, groups, policies }: EntityGrants): number {
  if (groups.length === 0 && own.length === 0) return ENTRY_BYTES;
  return ENTRY_BYTES + 4 * JSON.stringify([own, groups, policies]).length;
}
