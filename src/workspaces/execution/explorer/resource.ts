import { type TSchema, Type } from 'typebox';
import { isoTime } from '../../../lib/clock.ts';
import type { Resource } from '../../jsonapi/document.ts';
import { text } from '../../jsonapi/schema.ts';
import { type AnyResource, attribute, is, optional, resourceOf, time } from '../../resource/index.ts';
import type { Field, Kind, Value } from './field.ts';
import { WORKSPACES } from './group-fields.ts';
import type { Result, ResultRow } from './search.ts';
import type { ExplorerView } from './view-store.ts';
import { fieldsOf, RESOURCE_TYPES, VIEW_TYPES, type ViewType } from './view-type.ts';

/** @limit name of a saved view of the explorer, characters -> 422 */
const MAX_NAME = 90;
const Name = Type.String({ minLength: 1, maxLength: MAX_NAME, pattern: '^[^\\u0000-\\u001f\\u007f]*$' });
const word = text(1000);
export const Values = Type.Union([word, Type.Array(word, { maxItems: 2 })]);
/** `{ field, operator, value }`, or `{ FIELD: { OPERATOR: [VALUE] } }`. HCP Terraform has both forms. */
export const Filter = Type.Object(
  { field: Type.Optional(word), operator: Type.Optional(word), value: Type.Optional(Values) },
  { additionalProperties: Type.Record(Type.String(), Values, { maxProperties: 20 }), maxProperties: 20 },
);
const Words = Type.Array(word, { maxItems: 100 });
const Query = Type.Object({
  type: Type.Optional(word),
  filter: Type.Optional(Type.Array(Filter, { maxItems: 100 })),
  fields: Type.Optional(Type.Union([Words, Type.Record(Type.String(), Words, { maxProperties: 5 })])),
  sort: Type.Optional(Type.Union([word, Words])),
});
const queryType = Type.Enum([...VIEW_TYPES]);
const shownFilter = Type.Object({ field: is.text, operator: is.text, value: is.texts });
const shownQuery = Type.Object({
  type: is.text,
  filter: Type.Array(shownFilter),
  fields: is.texts,
  sort: is.texts,
});

/** A saved view. Clients write its type with a hyphen or an underscore. */
export const ViewResource = resourceOf<ExplorerView>()('explorer-saved-queries', {
  attributes: {
    name: attribute(is.text, 'name', optional(Name)),
    'created-at': time('createdAt'),
    query: attribute(shownQuery, ({ query, type }) => ({ ...query, type }), optional(Query)),
    'query-type': attribute(queryType, 'type', optional(queryType)),
    query_type: optional(queryType),
  },
});

const SCHEMAS: Readonly<Record<Kind, TSchema>> = {
  text: is.textOrNull,
  number: is.integerOrNull,
  boolean: Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] }),
  time: is.timeOrNull,
  list: is.textOrNull,
};

/** The rows of each view type. They have the attributes that the query chooses; without a choice, all of them. */
const ROWS: readonly AnyResource[] = VIEW_TYPES.map((viewType) => {
  const attributes = fieldsOf(viewType).map((field) => [nameOf(field), Type.Optional(SCHEMAS[field.kind])]);
  const type = RESOURCE_TYPES[viewType];
  return { type, schema: is.resource(type, Object.fromEntries(attributes)) };
});

/** A row of any view type. */
export const RowResource: AnyResource = { type: 'explorer-rows', schema: Type.Union(ROWS.map(({ schema }) => schema)) };

/** All resources of the explorer. */
export const EXPLORER_RESOURCES: readonly AnyResource[] = [...ROWS, RowResource, ViewResource];

/** Returns the name of a field in documents. */
function nameOf({ name }: Pick<Field<never>, 'name'>): string {
  return name.replaceAll('_', '-');
}

/**
 * @limit list of providers, modules or tags in a row of the explorer, characters -> the last entry is the number of the others;
 * the CSV file has all
 */
const MAX_LIST = 4000;

/** Returns the documents of rows. Lists are texts with commas; empty ones are null. */
export function rowDocuments(type: ViewType, fields: Result['fields'], rows: readonly ResultRow[]): Resource[] {
  const names = fields.map(nameOf);
  return rows.map(({ id, values }) => {
    const attributes = fields.map((field, at) => [names[at], shown(field, values[at] ?? null)]);
    return { id, type: RESOURCE_TYPES[type], attributes: Object.fromEntries(attributes) };
  });
}

function shown({ name, kind }: Result['fields'][number], value: Value): unknown {
  if (kind === 'time' && value !== null) return isoTime(value as number);
  if (!Array.isArray(value)) return value;
  if (value.length === 0) return null;
  return (name === WORKSPACES.name ? value : shortened(value)).join(', ');
}

/** A page of 100 rows with all entries would have 7 MB, and JSON is written in one piece. */
function shortened(list: readonly string[]): readonly string[] {
  let room = MAX_LIST;
  const count = list.findIndex((entry) => {
    room -= entry.length + 2;
    return room < 0;
  });
  return count < 0 ? list : [...list.slice(0, count), `and ${list.length - count} more`];
}
