import type { ColumnTypes, Migration } from '../../../storage/index.ts';

/**
 * Columns that decide in which lists a workspace is, and at which position; now also its settings, and whether it has
 * a state.
 */
const LISTED = ['name', 'project_id', 'latest_change_at', 'current_run_status', 'current_run_created_at', 'settings'];
const STATE = 'current_state_version_id';

/** Replaces the triggers of `roster`. */
function touching({ dialect }: ColumnTypes): string[] {
  const columns = [...LISTED, STATE].join(', ');
  const isOther = dialect === 'sqlite' ? 'IS NOT' : 'IS DISTINCT FROM';
  const changed = LISTED.map((column) => `OLD.${column} ${isOther} NEW.${column}`);
  const when = [...changed, `(OLD.${STATE} IS NULL) <> (NEW.${STATE} IS NULL)`].join(' OR ');
  if (dialect === 'sqlite') {
    return [
      'DROP TRIGGER workspace_update_touched',
      `CREATE TRIGGER workspace_update_touched AFTER UPDATE OF ${columns} ON workspace FOR EACH ROW
       WHEN (${when}) BEGIN UPDATE workspace_clock SET ticks = ticks + 1;
       UPDATE workspace SET touched = (SELECT ticks FROM workspace_clock) WHERE id = NEW.id; END`,
    ];
  }
  return [
    'DROP TRIGGER workspace_update_touched ON workspace',
    `CREATE TRIGGER workspace_update_touched BEFORE UPDATE OF ${columns} ON workspace FOR EACH ROW
     WHEN (${when}) EXECUTE FUNCTION workspace_touched()`,
  ];
}

/** Adds the start and the holder's name of a lock, and triggers for the additional columns that lists filter by. */
export const standing: Migration = {
  name: '0026-standing',
  statements: (types) => [
    `ALTER TABLE workspace ADD COLUMN locked_at ${types.integer}`,
    `ALTER TABLE workspace ADD COLUMN lock_holder_name ${types.text}`,
    `UPDATE workspace SET
       locked_at = (SELECT e.locked_at FROM lock_event e WHERE e.workspace_id = workspace.id AND e.unlocked_at IS NULL),
       lock_holder_name =
         (SELECT e.holder_name FROM lock_event e WHERE e.workspace_id = workspace.id AND e.unlocked_at IS NULL)
     WHERE lock_holder_id IS NOT NULL`,
    ...touching(types),
  ],
};
