import type { ColumnTypes } from '../../../storage/index.ts';

/** Columns that decide in which lists a workspace is, and at which position. */
const LISTED = [
  ...['name', 'project_id', 'latest_change_at', 'current_run_status', 'current_run_created_at', 'settings'],
  'current_state_version_id',
];

/**
 * Numbers each change of a workspace, so that a cache can query changes since its last refresh: each that increments
 * the version, except of the lock, which is frequent and which no cache of rows contains. The removal of a flat tag
 * counts as a change of its workspaces. On SQLite, which has one writer, the number comes from a counter. On PostgreSQL
 * it is the transaction id: a snapshot shows which transactions were still open.
 */
function touching({ dialect }: ColumnTypes): string[] {
  const isSqlite = dialect === 'sqlite';
  const columns = [...LISTED, 'version'].join(', ');
  const isOther = isSqlite ? 'IS NOT' : 'IS DISTINCT FROM';
  const changed = LISTED.map((column) => `OLD.${column} ${isOther} NEW.${column}`);
  const other = `(OLD.version <> NEW.version AND NOT (OLD.lock_holder_id ${isOther} NEW.lock_holder_id))`;
  const when = [...changed, other].join(' OR ');
  if (isSqlite) {
    const touch = (id: string) => `UPDATE workspace_clock SET ticks = ticks + 1;
      UPDATE workspace SET touched = (SELECT ticks FROM workspace_clock) WHERE id = ${id};`;
    return [
      'CREATE TABLE workspace_clock (ticks INTEGER NOT NULL) STRICT',
      'INSERT INTO workspace_clock (ticks) VALUES (0)',
      `CREATE TRIGGER workspace_insert_touched AFTER INSERT ON workspace FOR EACH ROW BEGIN ${touch('NEW.id')} END`,
      `CREATE TRIGGER workspace_update_touched AFTER UPDATE OF ${columns} ON workspace FOR EACH ROW
       WHEN (${when}) BEGIN ${touch('NEW.id')} END`,
      `CREATE TRIGGER workspace_tag_delete_touched AFTER DELETE ON workspace_tag FOR EACH ROW
       BEGIN ${touch('OLD.workspace_id')} END`,
    ];
  }
  return [
    `CREATE FUNCTION workspace_touched() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       NEW.touched := pg_current_xact_id()::text::bigint; RETURN NEW; END $$`,
    `CREATE TRIGGER workspace_insert_touched BEFORE INSERT ON workspace FOR EACH ROW
     EXECUTE FUNCTION workspace_touched()`,
    `CREATE TRIGGER workspace_update_touched BEFORE UPDATE OF ${columns} ON workspace FOR EACH ROW
     WHEN (${when}) EXECUTE FUNCTION workspace_touched()`,
    `CREATE FUNCTION workspace_tag_delete_touched() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       UPDATE workspace SET touched = pg_current_xact_id()::text::bigint WHERE id = OLD.workspace_id; RETURN NULL; END $$`,
    `CREATE TRIGGER workspace_tag_delete_touched AFTER DELETE ON workspace_tag FOR EACH ROW
     EXECUTE FUNCTION workspace_tag_delete_touched()`,
  ];
}

interface Links {
  readonly table: string;
  /** Table whose rows have a version that changes of the links increment, and the columns of version and id. */
  readonly owner: string;
  readonly version: string;
  readonly key: string;
  /** A column whose change counts in addition to inserts and deletes. */
  readonly column?: string;
  /** Number that a link adds to the links of its owner. */
  readonly amount: number;
}

const BINDINGS = {
  owner: 'organization',
  version: 'binding_version',
  key: 'organization_id',
  column: 'value',
  amount: 0,
};
const LINKS: readonly Links[] = [
  { table: 'workspace_tag', owner: 'tag', version: 'version', key: 'tag_id', amount: 1 },
  { table: 'team_workspace', owner: 'team', version: 'version', key: 'team_id', column: 'shows', amount: 0 },
  { table: 'tag_binding', ...BINDINGS },
  { table: 'project_tag_binding', ...BINDINGS },
];

/**
 * Triggers that increment the versions. Tags, keys and grants change in no other way. On PostgreSQL they write to the
 * sharded counter (platform/tally.ts), because concurrent writers would wait for the row of the owner. An owner that is
 * being deleted is not counted.
 */
function versioning({ dialect }: ColumnTypes): string[] {
  return LINKS.flatMap(({ table, owner, version, key, column, amount }) => {
    const events = ['INSERT', 'DELETE', ...(column === undefined ? [] : [`UPDATE OF ${column}`])];
    return events.flatMap((event) => {
      const name = `${table}_${event.slice(0, 6).toLowerCase()}_version`;
      const [row, more] = event === 'DELETE' ? ['OLD', -amount] : ['NEW', amount];
      const begin = `CREATE TRIGGER ${name} AFTER ${event} ON ${table} FOR EACH ROW`;
      const when = event.startsWith('UPDATE') ? `WHEN (OLD.${column} <> NEW.${column})` : '';
      if (dialect === 'sqlite')
        return [`${begin} ${when} BEGIN UPDATE ${owner} SET ${version} = ${version} + 1 WHERE id = ${row}.${key}; END`];
      return [
        `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO tally (subject, amount, changes) SELECT id, ${more}, 1 FROM ${owner} WHERE id = ${row}.${key}; RETURN NULL; END $$`,
        `${begin} ${when} EXECUTE FUNCTION ${name}()`,
      ];
    });
  });
}

/**
 * Merges the rows of one subject of the counter into one, at about every hundredth insert, and deletes those of a deleted
 * subject. Concurrent transactions insert rows of their own.
 */
function folding({ dialect }: ColumnTypes): string[] {
  if (dialect === 'sqlite') return [];
  return [
    `CREATE FUNCTION tally_fold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     WITH gone AS (DELETE FROM tally WHERE subject = NEW.subject RETURNING amount, changes)
     INSERT INTO tally (subject, amount, changes) SELECT NEW.subject, SUM(amount), SUM(changes) FROM gone;
     RETURN NULL; END $$`,
    `CREATE TRIGGER tally_insert_fold AFTER INSERT ON tally FOR EACH ROW WHEN (random() < 0.01)
     EXECUTE FUNCTION tally_fold()`,
    `CREATE FUNCTION tally_forget() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       DELETE FROM tally WHERE subject = OLD.id; RETURN NULL; END $$`,
    ...['organization', 'project', 'tag', 'team'].map(
      (owner) => `CREATE TRIGGER ${owner}_delete_tally AFTER DELETE ON ${owner} FOR EACH ROW
        EXECUTE FUNCTION tally_forget()`,
    ),
  ];
}

/** Triggers that number changes of workspaces, and count changes of what belongs to them. */
export const triggers = (types: ColumnTypes): string[] => [...touching(types), ...versioning(types), ...folding(types)];
