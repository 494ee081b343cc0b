import { type TSchema, Type } from 'typebox';
import { type Answers, file, made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import * as is from '../../openapi/resource.ts';
import type { Kind } from '../explorer/field.ts';
import { fieldsOf, RESOURCE_TYPES, VIEW_TYPES, type ViewType } from '../explorer/view-type.ts';

const SCHEMAS: Readonly<Record<Kind, TSchema>> = {
  text: is.textOrNull,
  number: is.integerOrNull,
  boolean: Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] }),
  time: is.timeOrNull,
  list: is.textOrNull,
};

/** A row has the attributes that the query chooses; without a choice, all of them. */
function row(type: ViewType) {
  const attributes = fieldsOf(type).map(({ name, kind }) => [name.replaceAll('_', '-'), Type.Optional(SCHEMAS[kind])]);
  return is.resource(RESOURCE_TYPES[type], Object.fromEntries(attributes));
}

const Filter = Type.Object({ field: is.text, operator: is.text, value: is.texts });
const view = is.resource('explorer-saved-queries', {
  name: is.text,
  'created-at': is.time,
  'query-type': Type.Enum([...VIEW_TYPES]),
  query: Type.Object({ type: is.text, filter: Type.Array(Filter), fields: is.texts, sort: is.texts }),
});

/** Resources of the explorer. */
export const EXPLORER_RESOURCES = {
  ...Object.fromEntries(VIEW_TYPES.map((type) => [RESOURCE_TYPES[type], row(type)])),
  'explorer-rows': Type.Union(VIEW_TYPES.map(row)),
  'explorer-saved-queries': view,
};

const PATH = '/organizations/:organization_name/explorer';
const csv = file('text/csv', false);

/** Responses of the explorer. */
export const EXPLORER_ANSWERS: Answers = {
  [`GET ${PATH}`]: pageAnswer('explorer-rows'),
  [`GET ${PATH}/export/csv`]: csv,
  [`GET ${PATH}/views`]: pageAnswer('explorer-saved-queries'),
  [`POST ${PATH}/views`]: made('explorer-saved-queries'),
  [`GET ${PATH}/views/:view_id`]: resourceAnswer('explorer-saved-queries'),
  [`PATCH ${PATH}/views/:view_id`]: resourceAnswer('explorer-saved-queries'),
  [`DELETE ${PATH}/views/:view_id`]: resourceAnswer('explorer-saved-queries'),
  [`GET ${PATH}/views/:view_id/results`]: pageAnswer('explorer-rows'),
  [`GET ${PATH}/views/:view_id/csv`]: csv,
  [`GET ${PATH}/views/:view_id/export/csv`]: csv,
};
