import type { ColumnTypes, Migration } from '../../../storage/index.ts';

/** Sources of events: table, columns, kind, and the column with the ID. */
const TOLD = [
  { table: 'workspace', on: 'insert', columns: [], kind: 'workspace', workspace: 'id' },
  {
    table: 'workspace',
    on: 'update',
    columns: ['name', 'project_id', 'settings', 'current_state_version_id'],
    kind: 'workspace',
    workspace: 'id',
  },
  { table: 'workspace', on: 'update', columns: ['lock_holder_id'], kind: 'lock', workspace: 'id' },
  { table: 'run', on: 'insert', columns: [], kind: 'run', workspace: 'workspace_id' },
  { table: 'run', on: 'update', columns: ['status'], kind: 'run', workspace: 'workspace_id' },
] as const;

/**
 * Triggers write the journal, so every writer is covered. Numbers increase: the row ID on SQLite; on PostgreSQL the
 * transaction ID, where a snapshot shows the unfinished ones.
 */
function telling({ dialect }: ColumnTypes): string[] {
  const isSqlite = dialect === 'sqlite';
  return TOLD.flatMap(({ table, on, columns, kind, workspace }) => {
    const name = `${table}_${on}_told_${kind}`;
    const differs = isSqlite ? 'IS NOT' : 'IS DISTINCT FROM';
    const when =
      columns.length === 0
        ? ''
        : `WHEN (${columns.map((column) => `OLD.${column} ${differs} NEW.${column}`).join(' OR ')})`;
    const event = columns.length === 0 ? 'INSERT' : `UPDATE OF ${columns.join(', ')}`;
    const begin = `CREATE TRIGGER ${name} AFTER ${event} ON ${table} FOR EACH ROW ${when}`;
    const what = `'${kind}', NEW.id, NEW.${workspace}, NEW.organization_id`;
    if (isSqlite) {
      return [
        `${begin} BEGIN INSERT INTO change (kind, subject_id, workspace_id, organization_id, happened_at)
         VALUES (${what}, CAST(unixepoch('subsec') * 1000 AS INTEGER)); END`,
      ];
    }
    return [
      `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         INSERT INTO change (tick, kind, subject_id, workspace_id, organization_id, happened_at)
         VALUES (pg_current_xact_id()::text::bigint, ${what}, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
         RETURN NULL; END $$`,
      `${begin} EXECUTE FUNCTION ${name}()`,
    ];
  });
}

/** Adds the journal of recent changes to runs, workspaces and locks, for event streams. */
export const changes: Migration = {
  name: '0029-changes',
  statements: (types) => {
    const { dialect, text, integer, tableOptions } = types;
    const number =
      dialect === 'sqlite'
        ? 'number INTEGER PRIMARY KEY'
        : `tick ${integer} NOT NULL, number ${integer} GENERATED ALWAYS AS IDENTITY, PRIMARY KEY (tick, number)`;
    return [
      // The table has no foreign keys, because deletions are reported too.
      `CREATE TABLE change (
        ${dialect === 'sqlite' ? `${number},` : ''}
        kind ${text} NOT NULL,
        subject_id ${text} NOT NULL,
        workspace_id ${text} NOT NULL,
        organization_id ${text} NOT NULL,
        happened_at ${integer} NOT NULL${dialect === 'sqlite' ? '' : `, ${number}`}
      )${tableOptions}`,
      ...telling(types),
    ];
  },
};
