import { type Queries, sql } from '../../../storage/index.ts';
import type { Page } from '../../jsonapi/pagination.ts';
import { tallied } from '../../platform/tally.ts';
import { containing, type Fragment, fragment, isOneOf, select, selectSlice } from '../../query/dynamic.ts';

/** A flat tag of an organization. */
export interface OrganizationTag {
  readonly id: string;
  readonly name: string;
  readonly organizationName: string;
  /** Number of workspaces with the tag. */
  readonly instanceCount: number;
  readonly createdAt: number;
}

/** Filter of a list of tags. */
export interface TagFilter {
  /** Part of the name, ignoring case; empty matches any. */
  readonly query: string;
  /** A workspace whose tags are excluded, or one tag; empty for none. */
  readonly excluded: string;
  /** Condition that workspace `w`, which has the tag, is visible to the actor. Undefined if all are. */
  readonly shown: Fragment | undefined;
}

const COLUMNS = `t.id, t.name, o.name AS "organizationName", t.instance_count + ${tallied('t.id')} AS "instanceCount",
  t.created_at AS "createdAt"`;
const removeTag = sql<{ organizationId: string; id: string }>(
  'DELETE FROM tag WHERE organization_id = :organizationId AND id = :id',
);

/** Returns one page, by name. */
export function listOrganizationTags(
  db: Queries,
  organizationId: string,
  { query, excluded, shown }: TagFilter,
  page: Page,
) {
  const where = [
    fragment`t.organization_id = ${organizationId}`,
    ...(query === '' ? [] : [fragment`t.name like ${containing(query.toLowerCase())} escape '\\'`]),
    ...(excluded === ''
      ? []
      : [
          fragment`t.id <> ${excluded} and not exists (select 1 from workspace_tag l
            where l.workspace_id = ${excluded} and l.tag_id = t.id)`,
        ]),
    ...(shown === undefined
      ? []
      : [
          fragment`exists (select 1 from workspace_tag l join workspace w on w.id = l.workspace_id
            where l.tag_id = t.id and ${shown})`,
        ]),
  ];
  const from = 'tag t JOIN organization o ON o.id = t.organization_id';
  return selectSlice<OrganizationTag>(db, { columns: COLUMNS, from, where, orderBy: 't.name' }, page);
}

/** Returns how many of the ids are tags of the organization. */
export async function countOrganizationTags(
  db: Queries,
  organizationId: string,
  ids: readonly string[],
): Promise<number> {
  const [counted] = await select(
    db,
    fragment<{ count: number }>`select count(*) as count from tag
      where organization_id = ${organizationId} and ${isOneOf('id', ids)}`,
  );
  return counted?.count ?? 0;
}

/** Deletes a tag and removes it from all workspaces. Returns the number of rows. */
export function removeOrganizationTag(db: Queries, organizationId: string, id: string) {
  return db.run(removeTag, { organizationId, id });
}
