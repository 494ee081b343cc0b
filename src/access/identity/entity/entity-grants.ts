import { LRUCache } from 'lru-cache';
import { AppError } from '../../../lib/errors.ts';
import { type Database, sql } from '../../../storage/index.ts';
import { normalizePolicies } from '../../acl/index.ts';
import type { Metadata } from '../common/metadata.ts';

/**
 * By itself and by groups within groups.
 * @limit groups that an entity belongs to, directly or not, groups -> its tokens are refused: 403, which says so
 */
const MOST_GROUPS = 500;
/** @limit groups and policies of entities in memory, estimated, bytes -> what was unused for longest is read again */
const MOST_BYTES = 32 * 1024 * 1024;
const ENTRY_BYTES = 300;

/** A group that an entity belongs to. */
export interface GrantedGroup {
  readonly id: string;
  readonly name: string;
  readonly metadata: Metadata;
  readonly policies: readonly string[];
  /** It is a member itself, not only of a group within. */
  readonly direct: boolean;
}

/** What an entity gives its tokens, besides what they were given. */
export interface EntityGrants {
  /** Of its own. */
  readonly own: readonly string[];
  /** By id. */
  readonly groups: readonly GrantedGroup[];
  /** All of them, in the form in which they are compared. Never `root`. */
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
// Up from the groups of the entity, each once: what it costs is a matter of these alone.
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
 * What entities hold: read once for each version, not for each request. Whoever looks up a token or an alias reads the version with
 * it, so a change on any node holds at the next request.
 */
export class EntityGrantsCache {
  readonly #database: Database;
  readonly #kept = new LRUCache<string, Kept>({ maxSize: MOST_BYTES });

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * @param version as read before now; what was written until then is in the answer
   * @throws AppError forbidden, for an entity in too many groups
   */
  async grantsOf(entityId: string, version: number): Promise<EntityGrants> {
    // Nobody has ever written one.
    if (version === 0) return NO_GRANTS;
    const known = this.#kept.get(entityId);
    if (known && known.version >= version) return known.grants;
    const grants = await this.read(entityId);
    this.#kept.set(entityId, { version, grants }, { size: bytesOf(grants) });
    return grants;
  }

  /** As of now. */
  async read(entityId: string): Promise<EntityGrants> {
    const [entity, rows] = await Promise.all([
      this.#database.one(ownPolicies, { entity_id: entityId }),
      this.#database.all(heldGroups, { entity_id: entityId, most: MOST_GROUPS + 1 }),
    ]);
    if (rows.length > MOST_GROUPS) {
      throw new AppError('forbidden', `the entity belongs to more than ${MOST_GROUPS} groups, directly or by others`);
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
