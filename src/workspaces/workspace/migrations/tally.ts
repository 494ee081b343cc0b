import type { ColumnTypes, Migration } from '../../../storage/index.ts';

/**
 * Tables whose changes were counted in the row of their owner (0012-roster). All concurrent writers had to wait for
 * that row.
 */
const LINKS = [
  { table: 'workspace_tag', owner: 'tag', key: 'tag_id', updates: false, amount: 1 },
  { table: 'team_workspace', owner: 'team', key: 'team_id', updates: true, amount: 0 },
  { table: 'tag_binding', owner: 'organization', key: 'organization_id', updates: true, amount: 0 },
  { table: 'project_tag_binding', owner: 'organization', key: 'organization_id', updates: true, amount: 0 },
] as const;

/** Tags also count their links. An owner that is being deleted is not counted. */
function counting(): string[] {
  return LINKS.flatMap(({ table, owner, key, updates, amount }) =>
    ['insert', 'delete', ...(updates ? ['update'] : [])].map((event) => {
      const [row, more] = event === 'delete' ? ['OLD', -amount] : ['NEW', amount];
      return `CREATE OR REPLACE FUNCTION ${table}_${event}_version() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO tally (subject, amount, changes) SELECT id, ${more}, 1 FROM ${owner} WHERE id = ${row}.${key}; RETURN NULL; END $$`;
    }),
  );
}

/**
 * Merges the rows of one subject into one, at about every hundredth insert. Concurrent transactions insert rows of
 * their own.
 */
const FOLDING = [
  `CREATE FUNCTION tally_fold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     WITH gone AS (DELETE FROM tally WHERE subject = NEW.subject RETURNING amount, changes)
     INSERT INTO tally (subject, amount, changes) SELECT NEW.subject, SUM(amount), SUM(changes) FROM gone;
     RETURN NULL; END $$`,
  `CREATE TRIGGER tally_insert_fold AFTER INSERT ON tally FOR EACH ROW WHEN (random() < 0.01)
   EXECUTE FUNCTION tally_fold()`,
];

function forgetting(): string[] {
  const owners = ['organization', 'project', 'tag', 'team'];
  return [
    `CREATE FUNCTION tally_forget() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       DELETE FROM tally WHERE subject = OLD.id; RETURN NULL; END $$`,
    ...owners.map(
      (owner) => `CREATE TRIGGER ${owner}_delete_tally AFTER DELETE ON ${owner} FOR EACH ROW
        EXECUTE FUNCTION tally_forget()`,
    ),
  ];
}

function onPostgres({ dialect }: ColumnTypes): string[] {
  return dialect === 'sqlite' ? [] : [...counting(), ...FOLDING, ...forgetting()];
}

/**
 * Sharded counters without lock contention (platform/tally.ts). Subjects are organizations, projects, tags and teams.
 */
export const tally: Migration = {
  name: '0015-tally',
  statements: (types) => [
    `CREATE TABLE tally (
      subject ${types.text} NOT NULL,
      amount ${types.integer} NOT NULL DEFAULT 0,
      changes ${types.integer} NOT NULL DEFAULT 0
    )${types.tableOptions}`,
    'CREATE INDEX tally_by_subject ON tally (subject, amount, changes)',
    ...onPostgres(types),
  ],
};
