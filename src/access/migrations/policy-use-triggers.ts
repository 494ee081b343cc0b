import type { ColumnTypes } from '../../storage/index.ts';

/** JSON columns that contain policy names, with the columns that identify their rows. */
const HOLDERS = [
  { kind: 'role', table: 'role', column: 'settings', key: 'token_policies', scope: 'mount_id', name: 'name' },
  { kind: 'token_role', table: 'token_role', column: 'settings', key: 'allowed_policies', name: 'name' },
  { kind: 'entity', table: 'entity', column: 'policies', name: 'id' },
  { kind: 'group', table: 'identity_group', column: 'policies', name: 'id' },
] as const;
type Holder = (typeof HOLDERS)[number];

const scopeOf = (holder: Holder, row: string): string => ('scope' in holder ? `${row}.${holder.scope}` : "''");

/**
 * Replaces lone surrogates and NUL, which the jsonb type of PostgreSQL refuses. Other texts of a role may contain
 * them.
 */
const readable = (json: string): string =>
  `regexp_replace(${json}, '\\\\u(0000|d[89a-f][0-9a-f]{2})', '\\\\ufffd', 'g')::jsonb`;

/**
 * Returns the statement that inserts the uses of policies in `row`. Roles store names as written, so the names are
 * lower-cased.
 */
function uses(holder: Holder, row: string, dialect: ColumnTypes['dialect']): string {
  const { kind, column, name } = holder;
  const path = 'key' in holder ? holder.key : undefined;
  const json = `${row}.${column}`;
  const listed = path === undefined ? readable(json) : `${readable(json)} -> '${path}'`;
  const each =
    dialect === 'sqlite'
      ? `json_each(${json}, '${path === undefined ? '$' : `$.${path}`}') AS named`
      : `jsonb_array_elements_text(CASE jsonb_typeof(${listed}) WHEN 'array' THEN ${listed} ELSE '[]'::jsonb END) AS named (value)`;
  const only = dialect === 'sqlite' ? " WHERE named.type = 'text'" : '';
  return `INSERT INTO policy_use (policy, kind, scope, holder)
    SELECT DISTINCT lower(trim(named.value)), '${kind}', ${scopeOf(holder, row)}, ${row}.${name}
    FROM ${each}${only}`;
}

const forget = (holder: Holder): string => `DELETE FROM policy_use
  WHERE kind = '${holder.kind}' AND scope = ${scopeOf(holder, 'OLD')} AND holder = OLD.${holder.name}`;

function triggers(holder: Holder, dialect: ColumnTypes['dialect']): string[] {
  const { table, column } = holder;
  const does = { insert: [uses(holder, 'NEW', dialect)], delete: [forget(holder)] };
  const events = [
    { event: 'insert', on: 'INSERT', body: does.insert },
    { event: 'update', on: `UPDATE OF ${column}`, body: [...does.delete, ...does.insert] },
    { event: 'delete', on: 'DELETE', body: does.delete },
  ];
  return events.flatMap(({ event, on, body }) => {
    const name = `${table}_${event}_policy_use`;
    const begin = `CREATE TRIGGER ${name} AFTER ${on} ON ${table} FOR EACH ROW`;
    const changed = event === 'update' ? ` WHEN (NEW.${column} <> OLD.${column})` : '';
    const text = body.map((statement) => `${statement};`).join(' ');
    if (dialect === 'sqlite') return [`${begin}${changed} BEGIN ${text} END`];
    return [
      `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${text} RETURN NULL; END $$`,
      `${begin}${changed} EXECUTE FUNCTION ${name}()`,
    ];
  });
}

/**
 * Triggers that record which roles, token roles, entities and groups use a policy. They keep the table up to date for
 * every writer.
 */
export const policyUseTriggers = ({ dialect }: ColumnTypes): string[] =>
  HOLDERS.flatMap((holder) => triggers(holder, dialect));
