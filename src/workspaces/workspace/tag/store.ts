import { type Queries, sql } from '../../../storage/index.ts';
import type { Page } from '../../jsonapi/pagination.ts';
import { tallied } from '../../platform/tally.ts';
import { containing, fragment, selectSlice } from '../../query/dynamic.ts';

/** A flat tag of an organization, and the number of its workspaces. */
export interface TagRow {
  readonly id: string;
  readonly name: string;
  readonly organizationName: string;
  readonly instanceCount: number;
  readonly createdAt: number;
}

const COLUMNS = `t.id, t.name, o.name AS "organizationName", t.instance_count + ${tallied('t.id')} AS "instanceCount",
  t.created_at AS "createdAt"`;
const FROM = 'workspace_tag l JOIN tag t ON t.id = l.tag_id JOIN organization o ON o.id = t.organization_id';

// An update without effect, so that RETURNING gives the id even if another transaction has inserted the tag.
const upsertTag = sql<{ id: string; organizationId: string; name: string; now: number }, { id: string }>(
  `INSERT INTO tag (id, organization_id, name, instance_count, created_at) VALUES (:id, :organizationId, :name, 0, :now)
   ON CONFLICT (organization_id, name) DO UPDATE SET name = excluded.name RETURNING id`,
);
const selectIdByName = sql<{ organizationId: string; name: string }, { id: string }>(
  'SELECT id FROM tag WHERE organization_id = :organizationId AND name = :name',
);
const selectIdById = sql<{ organizationId: string; id: string }, { id: string }>(
  'SELECT id FROM tag WHERE organization_id = :organizationId AND id = :id',
);
const insertLink = sql<{ tagId: string; workspaceId: string; workspaceName: string }>(
  `INSERT INTO workspace_tag (tag_id, workspace_name, workspace_id) VALUES (:tagId, :workspaceName, :workspaceId)
   ON CONFLICT (workspace_id, tag_id) DO NOTHING`,
);
const removeLink = sql<{ tagId: string; workspaceId: string }>(
  'DELETE FROM workspace_tag WHERE workspace_id = :workspaceId AND tag_id = :tagId',
);
const selectLinks = sql<{ workspaceId: string }, { tagId: string }>(
  'SELECT tag_id AS "tagId" FROM workspace_tag WHERE workspace_id = :workspaceId ORDER BY tag_id',
);
const selectNames = sql<{ workspaceId: string }, { name: string }>(
  `SELECT t.name FROM workspace_tag l JOIN tag t ON t.id = l.tag_id WHERE l.workspace_id = :workspaceId ORDER BY t.name`,
);
const selectSize = sql<{ workspaceId: string }, { count: number; characters: number }>(
  `SELECT COUNT(*) AS count, COALESCE(SUM(length(t.name)), 0) AS characters
   FROM workspace_tag l JOIN tag t ON t.id = l.tag_id WHERE l.workspace_id = :workspaceId`,
);
const renameLinksStatement = sql<{ workspaceId: string; name: string }>(
  'UPDATE workspace_tag SET workspace_name = :name WHERE workspace_id = :workspaceId',
);
const addToCount = sql<{ id: string; delta: number }>(
  'UPDATE tag SET instance_count = instance_count + :delta WHERE id = :id',
);
const removeUnused = sql<{ id: string }>(
  'DELETE FROM tag WHERE id = :id AND NOT EXISTS (SELECT 1 FROM workspace_tag WHERE tag_id = :id)',
);

/** A trigger counts on PostgreSQL (0015-tally). */
async function countLinks(db: Queries, id: string, delta: number): Promise<void> {
  if (db.dialect === 'sqlite') await db.run(addToCount, { id, delta });
}

/** Returns the id of the tag with this name, and creates it if needed. */
export async function ensureTag(db: Queries, tag: { id: string; organizationId: string; name: string; now: number }) {
  const { organizationId, name } = tag;
  return (await idByName(db, organizationId, name)) ?? (await db.one(upsertTag, tag))?.id ?? tag.id;
}

/** Returns the id of a tag by name, or undefined. */
export async function idByName(db: Queries, organizationId: string, name: string) {
  return (await db.one(selectIdByName, { organizationId, name }))?.id;
}

/** Returns the id if it is a tag of the organization; otherwise undefined. */
export async function idById(db: Queries, organizationId: string, id: string) {
  return (await db.one(selectIdById, { organizationId, id }))?.id;
}

/** Adds a tag to a workspace. Returns false if the workspace has it already. */
export async function attachTag(
  db: Queries,
  tagId: string,
  workspaceId: string,
  workspaceName: string,
): Promise<boolean> {
  const added = await db.run(insertLink, { tagId, workspaceId, workspaceName });
  if (added > 0) await countLinks(db, tagId, 1);
  return added > 0;
}

/** Deletes a tag that no workspace uses any longer (spec §4.10). */
export async function detachTag(db: Queries, tagId: string, workspaceId: string): Promise<void> {
  const removed = await db.run(removeLink, { tagId, workspaceId });
  if (removed === 0) return;
  await countLinks(db, tagId, -1);
  await db.run(removeUnused, { id: tagId });
}

/** Returns the number of tags of a workspace, and the total length of their names. */
export async function tagSize(db: Queries, workspaceId: string): Promise<{ count: number; characters: number }> {
  const { count = 0, characters = 0 } = (await db.one(selectSize, { workspaceId })) ?? {};
  return { count, characters: Number(characters) };
}

/** Returns the tags of a workspace by name. */
export async function tagNames(db: Queries, workspaceId: string): Promise<string[]> {
  return (await db.all(selectNames, { workspaceId })).map(({ name }) => name);
}

/** Removes all tags of a workspace before its deletion, so that the tags' counts stay right. */
export async function detachAllTags(db: Queries, workspaceId: string): Promise<void> {
  for (const { tagId } of await db.all(selectLinks, { workspaceId })) await detachTag(db, tagId, workspaceId);
}

/** Updates the copies of the workspace's name. Lists are sorted by these copies. */
export function renameLinks(db: Queries, workspaceId: string, name: string) {
  return db.run(renameLinksStatement, { workspaceId, name });
}

/** Returns a page of the tags of a workspace by name. `part` filters by a part of the name. */
export function listTags(db: Queries, workspaceId: string, part: string, page: Page) {
  const where = [fragment`l.workspace_id = ${workspaceId}`];
  if (part !== '') where.push(fragment`t.name like ${containing(part)} escape '\\'`);
  return selectSlice<TagRow>(db, { columns: COLUMNS, from: FROM, where, orderBy: 't.name' }, page);
}
