import { type Queries, sql } from '../../../storage/index.ts';
import { fragment, select } from '../../query/dynamic.ts';

/** Key-value tag of a project and of every workspace in it. */
export interface ProjectBinding {
  readonly id: string;
  readonly projectId: string;
  readonly key: string;
  readonly value: string;
  readonly createdAt: number;
}

const COLUMNS = 'id, project_id AS "projectId", key, value, created_at AS "createdAt"';

type NewBinding = ProjectBinding & { readonly organizationId: string };
const selectOfProject = sql<{ projectId: string }, ProjectBinding>(
  `SELECT ${COLUMNS} FROM project_tag_binding WHERE project_id = :projectId ORDER BY key`,
);
const upsert = sql<{ [Column in keyof NewBinding]: NewBinding[Column] }>(
  `INSERT INTO project_tag_binding (id, organization_id, project_id, key, value, created_at)
   VALUES (:id, :organizationId, :projectId, :key, :value, :createdAt)
   ON CONFLICT (project_id, key) DO UPDATE SET value = excluded.value`,
);
const removeOne = sql<{ id: string }>('DELETE FROM project_tag_binding WHERE id = :id');

/** Lists the tags by key. */
export function bindingsOfProject(db: Queries, projectId: string) {
  return db.all(selectOfProject, { projectId });
}

/** Lists the tags of all projects, by key. Needs at least one id. */
export function bindingsOfProjects(db: Queries, projectIds: readonly string[]) {
  const ids = fragment.join(projectIds);
  return select(
    db,
    fragment<ProjectBinding>`select ${fragment.raw(COLUMNS)} from project_tag_binding
      where project_id in (${ids}) order by key`,
  );
}

/** Stores a tag. An existing key gets the new value and keeps its id. */
export function putBinding(db: Queries, binding: NewBinding) {
  return db.run(upsert, { ...binding });
}

export function removeBinding(db: Queries, id: string) {
  return db.run(removeOne, { id });
}
