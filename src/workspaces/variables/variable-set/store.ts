import { type Queries, sql } from '../../../storage/index.ts';
import type { Page } from '../../jsonapi/pagination.ts';
import { containing, type Fragment, fragment, selectSlice } from '../../query/dynamic.ts';
import type { AppliedSet } from './precedence.ts';
import type { SetContent, VariableSet } from './variable-set.ts';

interface SetRow extends Omit<VariableSet, 'global' | 'priority'> {
  readonly global: number;
  readonly priority: number;
}

const COLUMNS = `s.id, s.organization_id AS "organizationId", o.name AS "organizationName", s.project_id AS "projectId",
  s.name, s.description, s.global, s.priority, s.created_at AS "createdAt", s.updated_at AS "updatedAt"`;
const FROM = 'variable_set s JOIN organization o ON o.id = s.organization_id';

type Content = { name: string; description: string; global: number; priority: number };
const selectById = sql<{ id: string }, SetRow>(`SELECT ${COLUMNS} FROM ${FROM} WHERE s.id = :id`);
const insertSet = sql<
  Content & { id: string; organizationId: string; projectId: string | null; now: number },
  { id: string }
>(
  `INSERT INTO variable_set (id, organization_id, project_id, name, description, global, priority, created_at, updated_at)
   VALUES (:id, :organizationId, :projectId, :name, :description, :global, :priority, :now, :now)
   ON CONFLICT (organization_id, name) DO NOTHING RETURNING id`,
);
// Locks the row, because an update depends on the current values.
const touchSet = sql<{ id: string; now: number }, { id: string }>(
  'UPDATE variable_set SET updated_at = :now WHERE id = :id RETURNING id',
);
const updateSet = sql<Content & { id: string }>(
  'UPDATE variable_set SET name = :name, description = :description, global = :global, priority = :priority WHERE id = :id',
);
const removeSet = sql<{ id: string }>('DELETE FROM variable_set WHERE id = :id');
const selectIdByName = sql<{ organizationId: string; name: string }, { id: string }>(
  'SELECT id FROM variable_set WHERE organization_id = :organizationId AND name = :name',
);

// Finds a variable that two global sets share. They would have equal ranks, so it is not allowed.
const selectGlobalConflict = sql<{ id: string }, { id: string }>(
  `SELECT v.id FROM variable_set mine JOIN variable_set s
     ON s.organization_id = mine.organization_id AND s.global = 1 AND s.id <> mine.id
   JOIN variable v ON v.variable_set_id = s.id
   JOIN variable m ON m.variable_set_id = mine.id AND m.category = v.category AND m.key = v.key
   WHERE mine.id = :id AND mine.global = 1 LIMIT 1`,
);

// A set of a project does not apply to a workspace that has moved to another project.
const selectApplied = sql<
  { workspaceId: string },
  { id: string; priority: number; global: number; ofProject: number; onWorkspace: number; onProject: number }
>(
  `SELECT s.id, s.priority, s.global, CASE WHEN s.project_id IS NULL THEN 0 ELSE 1 END AS "ofProject",
     MAX(a.on_workspace) AS "onWorkspace", MAX(a.on_project) AS "onProject"
   FROM workspace w JOIN (
     SELECT variable_set_id, workspace_id AS id, 1 AS on_workspace, 0 AS on_project FROM variable_set_workspace
       WHERE workspace_id = :workspaceId
     UNION ALL
     SELECT l.variable_set_id, x.id, 0, 1 FROM variable_set_project l JOIN workspace x ON x.project_id = l.project_id
       WHERE x.id = :workspaceId
     UNION ALL
     SELECT g.id, x.id, 0, 0 FROM variable_set g JOIN workspace x ON x.organization_id = g.organization_id
       WHERE g.global = 1 AND x.id = :workspaceId
   ) a ON a.id = w.id JOIN variable_set s ON s.id = a.variable_set_id
   WHERE w.id = :workspaceId AND (s.project_id IS NULL OR s.project_id = w.project_id)
   GROUP BY s.id, s.name, s.priority, s.global, s.project_id ORDER BY s.name`,
);

function setOf(row: SetRow): VariableSet {
  return { ...row, global: row.global === 1, priority: row.priority === 1 };
}

function stored({ name, description, global, priority }: SetContent): Content {
  return { name, description, global: Number(global), priority: Number(priority) };
}

/** Returns a set, or undefined. */
export async function findVariableSet(db: Queries, id: string): Promise<VariableSet | undefined> {
  const row = await db.one(selectById, { id });
  return row && setOf(row);
}

/** Returns one page of the sets `s` that meet the conditions, by name. `query` is a part of the name, ignoring case. */
export async function listVariableSets(db: Queries, conditions: readonly Fragment[], query: string, page: Page) {
  // Only ASCII letters are converted, as `lower` of both databases does.
  const folded = query.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const pattern = containing(folded);
  const named = query === '' ? [] : [fragment`lower(s.name) like ${pattern} escape '\\'`];
  const where = [...conditions, ...named];
  const { items, total } = await selectSlice<SetRow>(
    db,
    { columns: COLUMNS, from: `${FROM} LEFT JOIN project p ON p.id = s.project_id`, where, orderBy: 's.name' },
    page,
  );
  return { items: items.map(setOf), total };
}

/** Inserts a set. Returns false when the organization has a set of that name. */
export async function insertVariableSet(
  db: Queries,
  set: { readonly id: string; readonly organizationId: string; readonly projectId: string | null },
  content: SetContent,
  now: number,
): Promise<boolean> {
  return (await db.one(insertSet, { ...set, ...stored(content), now })) !== undefined;
}

/** Locks the row for the rest of the transaction. Returns false when it is gone. */
export async function touchVariableSet(db: Queries, id: string, now: number): Promise<boolean> {
  return (await db.one(touchSet, { id, now })) !== undefined;
}

/** Updates a set after `touchVariableSet`. */
export function updateVariableSet(db: Queries, id: string, content: SetContent) {
  return db.run(updateSet, { id, ...stored(content) });
}

/** Deletes a set with its variables. Returns the number of rows. */
export function removeVariableSet(db: Queries, id: string) {
  return db.run(removeSet, { id });
}

/** Returns the id of the set with this name, or undefined. */
export async function findVariableSetByName(db: Queries, organizationId: string, name: string) {
  return (await db.one(selectIdByName, { organizationId, name }))?.id;
}

/** Returns whether another global set has a variable of this global set. */
export async function hasGlobalConflict(db: Queries, id: string): Promise<boolean> {
  return (await db.one(selectGlobalConflict, { id })) !== undefined;
}

/** Returns the sets that apply to a workspace, by name. */
export async function appliedSets(db: Queries, workspaceId: string): Promise<AppliedSet[]> {
  const rows = await db.all(selectApplied, { workspaceId });
  return rows.map((row) => ({
    id: row.id,
    priority: row.priority === 1,
    global: row.global === 1,
    ofProject: row.ofProject === 1,
    onWorkspace: row.onWorkspace === 1,
    onProject: row.onProject === 1,
  }));
}
