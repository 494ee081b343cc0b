import type { ColumnTypes, Migration } from '../../../storage/index.ts';

/** Columns that decide in which lists a workspace is, and at which position. */
const LISTED = ['name', 'project_id', 'latest_change_at', 'current_run_status', 'current_run_created_at'];

/**
 * Numbers each change of the listed columns, so that a cache can query changes since its last refresh. On SQLite,
 * which has one writer, the number comes from a counter. On PostgreSQL it is the transaction id: a snapshot shows
 * which transactions were still open.
 */
function touching({ dialect }: ColumnTypes): string[] {
  if (dialect === 'sqlite') {
    const changed = LISTED.map((column) => `OLD.${column} IS NOT NEW.${column}`).join(' OR ');
    const body = `UPDATE workspace_clock SET ticks = ticks + 1;
      UPDATE workspace SET touched = (SELECT ticks FROM workspace_clock) WHERE id = NEW.id;`;
    return [
      'CREATE TABLE workspace_clock (ticks INTEGER NOT NULL) STRICT',
      'INSERT INTO workspace_clock (ticks) VALUES (0)',
      `CREATE TRIGGER workspace_insert_touched AFTER INSERT ON workspace FOR EACH ROW BEGIN ${body} END`,
      `CREATE TRIGGER workspace_update_touched AFTER UPDATE OF ${LISTED.join(', ')} ON workspace FOR EACH ROW
       WHEN (${changed}) BEGIN ${body} END`,
    ];
  }
  const changed = LISTED.map((column) => `OLD.${column} IS DISTINCT FROM NEW.${column}`).join(' OR ');
  const call = 'FOR EACH ROW';
  return [
    `CREATE FUNCTION workspace_touched() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       NEW.touched := pg_current_xact_id()::text::bigint; RETURN NEW; END $$`,
    `CREATE TRIGGER workspace_insert_touched BEFORE INSERT ON workspace ${call} EXECUTE FUNCTION workspace_touched()`,
    `CREATE TRIGGER workspace_update_touched BEFORE UPDATE OF ${LISTED.join(', ')} ON workspace ${call}
     WHEN (${changed}) EXECUTE FUNCTION workspace_touched()`,
  ];
}

interface Links {
  readonly table: string;
  /** Tables whose changes increment the version of their owner, and the column of that version. */
  readonly owner: string;
  readonly version: string;
  readonly key: string;
  /** A column whose change counts in addition to inserts and deletes. */
  readonly column: string | undefined;
}

const LINKS: readonly Links[] = [
  { table: 'workspace_tag', owner: 'tag', version: 'version', key: 'tag_id', column: undefined },
  { table: 'team_workspace', owner: 'team', version: 'version', key: 'team_id', column: 'shows' },
  { table: 'tag_binding', owner: 'organization', version: 'binding_version', key: 'organization_id', column: 'value' },
  {
    table: 'project_tag_binding',
    owner: 'organization',
    version: 'binding_version',
    key: 'organization_id',
    column: 'value',
  },
];

/** Triggers that increment the versions. Tags, keys and grants change in no other way. */
function versioning({ dialect }: ColumnTypes): string[] {
  return LINKS.flatMap(({ table, owner, version, key, column }) => {
    const events = ['INSERT', 'DELETE', ...(column === undefined ? [] : [`UPDATE OF ${column}`])];
    return events.flatMap((event) => {
      const name = `${table}_${event.slice(0, 6).toLowerCase()}_version`;
      const row = event === 'DELETE' ? 'OLD' : 'NEW';
      const body = `UPDATE ${owner} SET ${version} = ${version} + 1 WHERE id = ${row}.${key};`;
      const begin = `CREATE TRIGGER ${name} AFTER ${event} ON ${table} FOR EACH ROW`;
      const when = event.startsWith('UPDATE') ? `WHEN (OLD.${column} <> NEW.${column})` : '';
      if (dialect === 'sqlite') return [`${begin} ${when} BEGIN ${body} END`];
      return [
        `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NULL; END $$`,
        `${begin} ${when} EXECUTE FUNCTION ${name}()`,
      ];
    });
  });
}

/** Drops the counter of a whole organization. It was one row for which every writer had to wait. */
function withoutListing({ dialect }: ColumnTypes): string[] {
  const triggers = ['workspace', 'team_workspace', 'team_project'].flatMap((table) =>
    ['insert', 'delete', 'update'].map((event) => ({ table, name: `${table}_${event}_listing` })),
  );
  const drops = triggers.flatMap(({ table, name }) =>
    dialect === 'sqlite' ? [`DROP TRIGGER ${name}`] : [`DROP TRIGGER ${name} ON ${table}`, `DROP FUNCTION ${name}()`],
  );
  return [...drops, 'ALTER TABLE organization DROP COLUMN listing_version'];
}

/** Records the changes of workspace lists, so that a cached index can be updated instead of read again. */
export const roster: Migration = {
  name: '0012-roster',
  statements: (types) => [
    `ALTER TABLE workspace ADD COLUMN touched ${types.integer} NOT NULL DEFAULT 0`,
    'CREATE INDEX workspace_by_touch ON workspace (organization_id, touched)',
    `ALTER TABLE tag ADD COLUMN version ${types.integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE team ADD COLUMN version ${types.integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE organization ADD COLUMN binding_version ${types.integer} NOT NULL DEFAULT 0`,
    ...touching(types),
    ...versioning(types),
    ...withoutListing(types),
  ],
};
