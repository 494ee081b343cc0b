import { type Queries, sql } from '../../../storage/index.ts';
import { IDENTITY_VERSION } from '../../identity/index.ts';
import type { Token } from '../../model/token.ts';
import { POLICIES_VERSION } from '../../policies/index.ts';

/**
 * Maximum number of a token's ancestors. Bounds the recursion of a lookup.
 * @limit ancestors of a token, tokens -> 400
 */
export const MAX_ANCESTORS = 32;

/**
 * SQL condition for a live row of `token`, without its ancestors: not expired (`:now`), and its mount and entity
 * still exist. Disabling a mount or deleting an entity so invalidates all their tokens at once.
 */
export const LIVE = `(token.expires_at IS NULL OR token.expires_at > :now) AND (token.mount_id IS NULL OR EXISTS (
  SELECT 1 FROM mount WHERE mount.id = token.mount_id AND mount.removed_at IS NULL)) AND (token.entity_id IS NULL OR EXISTS (
  SELECT 1 FROM entity WHERE entity.id = token.entity_id) OR EXISTS (
  SELECT 1 FROM merged_entity WHERE merged_entity.id = token.entity_id))`;

/** Returns SQL for the entity that an entity was merged into, or the entity itself. */
const mergedInto = (id: string): string =>
  `coalesce((SELECT merged_entity.entity_id FROM merged_entity WHERE merged_entity.id = ${id}), ${id})`;

/** SQL for the entity of a token. */
export const ENTITY = mergedInto('token.entity_id');

/** SQL for the members of `Standing`, which are not in the token's row. */
export const STANDING = `${POLICIES_VERSION} AS policies_version, ${IDENTITY_VERSION} AS identity_version,
  coalesce((SELECT disabled FROM entity WHERE entity.id = ${ENTITY}), 0) AS blocked, ${ENTITY} AS stands_for`;

/**
 * Recursive query from a token up to one without a parent, over live tokens by primary key. A parent must not be
 * younger than its child: if a custom token text is reused, the new token does not inherit the old one's children.
 */
const lineage = sql<{ id: string; born: number; now: number; most: number }, { length: number }>(
  `SELECT length FROM (
     WITH RECURSIVE lineage (parent_id, created_at, length) AS (
       SELECT token.parent_id, token.created_at, 1 FROM token
       WHERE token.id = :id AND token.created_at <= :born AND ${LIVE}
       UNION ALL
       SELECT token.parent_id, token.created_at, lineage.length + 1
       FROM lineage JOIN token ON token.id = lineage.parent_id
       WHERE lineage.length < :most AND token.created_at <= lineage.created_at AND ${LIVE}
     )
     SELECT parent_id, length FROM lineage) AS whole
   WHERE parent_id IS NULL`,
);

const ofBatch = sql<{ mount_id: string; entity_id: string }, StandingRow>(
  `SELECT version AS policies_version, ${IDENTITY_VERSION} AS identity_version, coalesce(entity.disabled, 0) AS blocked,
     entity.id AS stands_for
   FROM change_counter LEFT JOIN entity ON entity.id = ${mergedInto(':entity_id')}
   WHERE topic = 'policies' AND (:entity_id = '' OR entity.id IS NOT NULL) AND (:mount_id = '' OR EXISTS (
     SELECT 1 FROM mount WHERE mount.id = :mount_id AND mount.removed_at IS NULL))`,
);

/** Versions that a login has read. The write of its token checks that they are unchanged (optimistic concurrency). */
export interface GoneBy {
  readonly mountId: string;
  readonly mountVersion: number;
  readonly identityVersion: number;
}

/** SQL condition that these versions are unchanged. */
export const UNCHANGED = `EXISTS (SELECT 1 FROM mount
    WHERE mount.id = :mount_id AND mount.version = :mount_version AND mount.removed_at IS NULL)
  AND ${IDENTITY_VERSION} = :identity_version`;

const unchanged = sql<{ mount_id: string; mount_version: number; identity_version: number }, { yes: number }>(
  `SELECT 1 AS yes WHERE ${UNCHANGED}`,
);

/** Checks the versions for a token that is not stored. */
export async function isUnchanged(
  queries: Queries,
  { mountId, mountVersion, identityVersion }: GoneBy,
): Promise<boolean> {
  const params = { mount_id: mountId, mount_version: mountVersion, identity_version: identityVersion };
  return (await queries.one(unchanged, params)) !== undefined;
}

/** State of a live token that its own data does not contain. */
export interface Standing {
  readonly policiesVersion: number;
  readonly identityVersion: number;
  /** Whether the token's entity is disabled. */
  readonly blocked: boolean;
}

/** Row of the database. `stands_for` is the token's entity, after merges. */
export interface StandingRow {
  readonly policies_version: number;
  readonly identity_version: number;
  readonly blocked: number;
  readonly stands_for: string | null;
}

export function standingOf(row: StandingRow): Standing & { readonly entityId: string | null } {
  const { policies_version: policiesVersion, identity_version: identityVersion, blocked, stands_for: entityId } = row;
  return { policiesVersion, identityVersion, blocked: blocked === 1, entityId };
}

/** Mount, parent and entity of a token, which must all exist. */
export type Origin = Pick<Token, 'mountId' | 'parentId' | 'entityId' | 'createdAt'>;

/** A token with a parent: the parent's id, and the token's own creation time. */
interface Child {
  readonly parentId: string;
  readonly createdAt: number;
}

/**
 * Returns the number of generations from a token's parent to the root, both included. Returns undefined if one of
 * them is not live, or if there are more than `most`.
 */
export async function generations(
  queries: Queries,
  { parentId, createdAt }: Child,
  now: number,
  most = MAX_ANCESTORS,
): Promise<number | undefined> {
  return (await queries.one(lineage, { id: parentId, born: createdAt, now, most }))?.length;
}

/** Returns the state of a token that is not stored. Undefined if its mount, parent or entity is gone. */
export async function batchStanding(
  queries: Queries,
  { mountId, parentId, entityId, createdAt }: Origin,
  now: number,
): Promise<ReturnType<typeof standingOf> | undefined> {
  const found = await queries.one(ofBatch, { mount_id: mountId ?? '', entity_id: entityId ?? '' });
  if (!found) return undefined;
  if (parentId !== null && (await generations(queries, { parentId, createdAt }, now)) === undefined) return undefined;
  return standingOf(found);
}
