import type { ColumnTypes, Migration } from '../../../storage/index.ts';

/** What of a workspace decides in which lists it is, and where. */
const LISTED = ['name', 'project_id', 'latest_change_at', 'current_run_status', 'current_run_created_at'];

/**
 * Numbers each change of what is listed, so that whoever holds a copy asks for what has changed since. On SQLite one writes
 * at a time, and a counter does. On PostgreSQL it is the transaction: a snapshot tells which of those were not over.
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
  /** Whose version counts the changes, and the column that says which one it is. */
  readonly owner: string;
  readonly version: string;
  readonly key: string;
  /** What else of a link decides. */
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

/** Who carries a tag, has a key, or is shown to a team does not change but by these. */
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

/** What counted the same for a whole organization, in one row that every writer had to wait for. */
function withoutListing({ dialect }: ColumnTypes): string[] {
  const triggers = ['workspace', 'team_workspace', 'team_project'].flatMap((table) =>
    ['insert', 'delete', 'update'].map((event) => ({ table, name: `${table}_${event}_listing` })),
  );
  const drops = triggers.flatMap(({ table, name }) =>
    dialect === 'sqlite' ? [`DROP TRIGGER ${name}`] : [`DROP TRIGGER ${name} ON ${table}`, `DROP FUNCTION ${name}()`],
  );
  return [...drops, 'ALTER TABLE organization DROP COLUMN listing_version'];
}

/** Tells what has changed in the lists of an organization, so that a copy of them is kept up to date and not read anew. */
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
