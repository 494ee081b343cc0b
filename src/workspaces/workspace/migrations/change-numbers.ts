import type { ColumnTypes, Migration } from '../../../storage/index.ts';

/** Columns that decide in which lists a workspace is, and at which position. */
const LISTED = ['name', 'project_id', 'latest_change_at', 'current_run_status', 'current_run_created_at', 'settings'];
const STATE = 'current_state_version_id';

/**
 * Replaces the triggers of `standing`: they number every change that increments the version, except of the lock, which
 * is frequent and which no cache of rows contains. The removal of a flat tag counts as a change of its workspaces.
 */
function touching({ dialect }: ColumnTypes): string[] {
  const isSqlite = dialect === 'sqlite';
  const columns = [...LISTED, STATE, 'version'].join(', ');
  const isOther = isSqlite ? 'IS NOT' : 'IS DISTINCT FROM';
  const changed = [...LISTED, STATE].map((column) => `OLD.${column} ${isOther} NEW.${column}`);
  const other = `(OLD.version <> NEW.version AND NOT (OLD.lock_holder_id ${isOther} NEW.lock_holder_id))`;
  const when = [...changed, other].join(' OR ');
  if (isSqlite) {
    const touch = (id: string) => `UPDATE workspace_clock SET ticks = ticks + 1;
       UPDATE workspace SET touched = (SELECT ticks FROM workspace_clock) WHERE id = ${id};`;
    return [
      'DROP TRIGGER workspace_update_touched',
      `CREATE TRIGGER workspace_update_touched AFTER UPDATE OF ${columns} ON workspace FOR EACH ROW
       WHEN (${when}) BEGIN ${touch('NEW.id')} END`,
      `CREATE TRIGGER workspace_tag_delete_touched AFTER DELETE ON workspace_tag FOR EACH ROW
       BEGIN ${touch('OLD.workspace_id')} END`,
    ];
  }
  return [
    'DROP TRIGGER workspace_update_touched ON workspace',
    `CREATE TRIGGER workspace_update_touched BEFORE UPDATE OF ${columns} ON workspace FOR EACH ROW
     WHEN (${when}) EXECUTE FUNCTION workspace_touched()`,
    `CREATE FUNCTION workspace_tag_delete_touched() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       UPDATE workspace SET touched = pg_current_xact_id()::text::bigint WHERE id = OLD.workspace_id; RETURN NULL; END $$`,
    `CREATE TRIGGER workspace_tag_delete_touched AFTER DELETE ON workspace_tag FOR EACH ROW
     EXECUTE FUNCTION workspace_tag_delete_touched()`,
  ];
}

/** Numbers all changes of workspaces, so that caches of more columns than lists have can follow them. */
export const changeNumbers: Migration = {
  name: '0082-change-numbers',
  compatibleFrom: '0040-well-formed',
  statements: touching,
};
