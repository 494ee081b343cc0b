import type { Migration } from '../../../storage/index.ts';

/** Columns that decide which workspaces an actor sees, or their names and order. */
const CHANGES = [
  ['workspace', 'INSERT'],
  ['workspace', 'DELETE'],
  ['workspace', 'UPDATE OF name, project_id', 'OLD.name <> NEW.name OR OLD.project_id <> NEW.project_id'],
  ['team_workspace', 'INSERT'],
  ['team_workspace', 'DELETE'],
  ['team_workspace', 'UPDATE OF shows', 'OLD.shows <> NEW.shows'],
  ['team_project', 'INSERT'],
  ['team_project', 'DELETE'],
  ['team_project', 'UPDATE OF shows', 'OLD.shows <> NEW.shows'],
] as const;

/** `row` is NEW or OLD. */
function bump(table: (typeof CHANGES)[number][0], row: string): string {
  const ofTeam = `(SELECT organization_id FROM team WHERE id = ${row}.team_id)`;
  const organization = table === 'workspace' ? `${row}.organization_id` : ofTeam;
  return `UPDATE organization SET listing_version = listing_version + 1 WHERE id = ${organization};`;
}

/**
 * Adds a counter to each organization that grows with each change of its workspace lists, so that totals can be
 * cached.
 */
export const listing: Migration = {
  name: '0010-listing',
  statements: ({ dialect, integer }) => [
    `ALTER TABLE organization ADD COLUMN listing_version ${integer} NOT NULL DEFAULT 0`,
    // Triggers keep it right for every statement that creates, deletes, renames, moves or grants.
    ...CHANGES.flatMap(([table, event, condition]) => {
      const kind = event.slice(0, 6).toLowerCase();
      const name = `${table}_${kind}_listing`;
      const body = bump(table, event === 'DELETE' ? 'OLD' : 'NEW');
      const begin = `CREATE TRIGGER ${name} AFTER ${event} ON ${table} FOR EACH ROW`;
      const when = condition === undefined ? '' : `WHEN (${condition})`;
      if (dialect === 'sqlite') return [`${begin} ${when} BEGIN ${body} END`];
      return [
        `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NULL; END $$`,
        `${begin} ${when} EXECUTE FUNCTION ${name}()`,
      ];
    }),
  ],
};
