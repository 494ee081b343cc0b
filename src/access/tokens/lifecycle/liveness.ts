import { type Queries, sql } from '../../../storage/index.ts';
import { IDENTITY_VERSION } from '../../identity/index.ts';
import type { Token } from '../../model/token.ts';
import { POLICIES_VERSION } from '../../policies/index.ts';

/**
 * A token can have this many ancestors. It bounds what a look-up follows.
 * @limit tokens above a token, tokens -> 400
 */
export const MAX_ANCESTORS = 32;

/**
 * What makes a row of `token` live, its ancestors aside: its time (`:now`), and that the mount it came from and the entity it
 * stands for are still there. So disabling a mount, or deleting an entity, ends all their tokens at once.
 */
export const LIVE = `(token.expires_at IS NULL OR token.expires_at > :now) AND (token.mount_id IS NULL OR EXISTS (
  SELECT 1 FROM mount WHERE mount.id = token.mount_id AND mount.removed_at IS NULL)) AND (token.entity_id IS NULL OR EXISTS (
  SELECT 1 FROM entity WHERE entity.id = token.entity_id) OR EXISTS (
  SELECT 1 FROM merged_entity WHERE merged_entity.id = token.entity_id))`;

/** Whom an entity has been merged into; itself, as long as it has not. */
const mergedInto = (id: string): string =>
  `coalesce((SELECT merged_entity.entity_id FROM merged_entity WHERE merged_entity.id = ${id}), ${id})`;

/** Whom a token stands for. */
export const ENTITY = mergedInto('token.entity_id');

/** What is known of a token at this moment that its own row does not say: the members of `Standing`. */
export const STANDING = `${POLICIES_VERSION} AS policies_version, ${IDENTITY_VERSION} AS identity_version,
  coalesce((SELECT disabled FROM entity WHERE entity.id = ${ENTITY}), 0) AS blocked, ${ENTITY} AS stands_for`;

/**
 * Up from a token to one without a parent, as long as each is live. By primary key, step by step. No child is older than its
 * parent: where a text was given to a new token, what came from the old one is not the new one's.
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

/** What a login goes by, each read before: the write of its token makes sure that nothing of it has changed. */
export interface GoneBy {
  readonly mountId: string;
  readonly mountVersion: number;
  readonly identityVersion: number;
}

/** Whether it all is as it was. */
export const UNCHANGED = `EXISTS (SELECT 1 FROM mount
    WHERE mount.id = :mount_id AND mount.version = :mount_version AND mount.removed_at IS NULL)
  AND ${IDENTITY_VERSION} = :identity_version`;

const unchanged = sql<{ mount_id: string; mount_version: number; identity_version: number }, { yes: number }>(
  `SELECT 1 AS yes WHERE ${UNCHANGED}`,
);

/** For a token that is not stored. */
export async function isUnchanged(
  queries: Queries,
  { mountId, mountVersion, identityVersion }: GoneBy,
): Promise<boolean> {
  const params = { mount_id: mountId, mount_version: mountVersion, identity_version: identityVersion };
  return (await queries.one(unchanged, params)) !== undefined;
}

/** What is known of a live token besides what it says itself. */
export interface Standing {
  readonly policiesVersion: number;
  readonly identityVersion: number;
  /** Whoever it stands for is disabled. */
  readonly blocked: boolean;
}

/** As it is read; `stands_for` is the entity that the one of the token has been merged into, or that one itself. */
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

/** Where a token comes from, and whom it stands for: it lives while those are there. */
export type Origin = Pick<Token, 'mountId' | 'parentId' | 'entityId' | 'createdAt'>;

/** A token that has a parent: the parent's id, and when the token itself came to be. */
interface Child {
  readonly parentId: string;
  readonly createdAt: number;
}

/**
 * How many generations there are from the parent of a token up to the one without a parent, both counted; undefined when one
 * of them is dead, or when there are more than `most`.
 */
export async function generations(
  queries: Queries,
  { parentId, createdAt }: Child,
  now: number,
  most = MAX_ANCESTORS,
): Promise<number | undefined> {
  return (await queries.one(lineage, { id: parentId, born: createdAt, now, most }))?.length;
}

/** Of a token that is not stored; undefined when what it came from is dead. */
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
