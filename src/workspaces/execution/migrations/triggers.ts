import { type ColumnTypes, releasing } from '../../../storage/index.ts';

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

/** Tables with work of organizations, and the column with the time at which the work is due. */
const WORK = [
  { table: 'schedule', at: 'next_at' },
  { table: 'schedule_task', at: 'due_at' },
  { table: 'auto_destroy', at: 'next_at' },
] as const;

/**
 * Triggers move the turn of an organization forward when it gets earlier work, so every writer is covered. They never
 * move it back: the turn is early at most. `NOT EXISTS` reads the turn without a lock, so a transaction that moves it
 * back at the same time could leave it too late. This relies on SERIALIZABLE isolation, in which one of the two fails and
 * is retried. Every write of these tables must be in such a transaction.
 */
function noting({ dialect }: ColumnTypes): string[] {
  return WORK.flatMap(({ table, at }) => {
    const earlier = `NEW.${at} IS NOT NULL AND (OLD.${at} IS NULL OR NEW.${at} < OLD.${at})`;
    const events = [
      { on: 'insert', event: 'INSERT', when: `NEW.${at} IS NOT NULL` },
      { on: 'update', event: `UPDATE OF ${at}`, when: earlier },
    ];
    const known = `SELECT 1 FROM organization_turn
      WHERE work = '${table}' AND organization_id = NEW.organization_id AND due_at <= NEW.${at}`;
    // Most work is due later than the first one. It must not wait for the row, which all work of the organization has
    // in common.
    const note = `INSERT INTO organization_turn (work, organization_id, due_at, served_at)
      SELECT '${table}', NEW.organization_id, NEW.${at}, 0 WHERE NOT EXISTS (${known})
      ON CONFLICT (work, organization_id) DO UPDATE SET due_at = NEW.${at};`;
    const triggers = events.map(
      ({ on, event, when }) =>
        `CREATE TRIGGER ${table}_${on}_turn AFTER ${event} ON ${table} FOR EACH ROW WHEN (${when})`,
    );
    if (dialect === 'sqlite') return triggers.map((trigger) => `${trigger} BEGIN ${note} END`);
    return [
      `CREATE FUNCTION ${table}_turn() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${note} RETURN NULL; END $$`,
      ...triggers.map((trigger) => `${trigger} EXECUTE FUNCTION ${table}_turn()`),
    ];
  });
}

/** Triggers that write the journal of changes, move turns of organizations forward, and release blobs. */
export const triggers = (types: ColumnTypes): string[] => [
  ...telling(types),
  ...noting(types),
  releasing(types, 'configuration_version', 'OLD.blob_name IS NOT NULL'),
  releasing(types, 'run_output'),
];
