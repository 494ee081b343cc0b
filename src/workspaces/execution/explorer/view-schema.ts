import { type Static, Type } from 'typebox';
import type { Issue } from '../../../lib/errors.ts';
import { attributeIssue, unprocessable } from '../../jsonapi/errors.ts';
import { typed } from '../../jsonapi/schema.ts';
import { checkQuery, type ExplorerQuery, type FilterInput, type Place } from './query.ts';
import { type Filter, type Values, ViewResource } from './resource.ts';
import type { SavedQuery } from './view-store.ts';
import type { ViewType } from './view-type.ts';

/** @limit query of a saved view of the explorer, bytes of JSON -> 422 */
const MAX_QUERY = 16_384;

/** Body of a saved view. The documentation of HCP Terraform has the attributes in `data`, its clients in `attributes`. */
export const ViewBody = Type.Object({
  data: Type.Object({
    type: typed('explorer-saved-queries'),
    ...ViewResource.create.properties,
    attributes: Type.Optional(ViewResource.create),
  }),
});

type Given = Static<typeof ViewBody>['data'];

/** Attributes of a saved view in a request; undefined for those that it does not have. */
export interface ViewInput {
  readonly name: string | undefined;
  readonly type: ViewType | undefined;
  readonly query: Given['query'] | undefined;
}

export function viewInput({ data }: { readonly data: Given }): ViewInput {
  const given = { ...data, ...data.attributes };
  return { name: given.name, type: given['query-type'] ?? given.query_type, query: given.query };
}

/**
 * Checks the query of a saved view.
 * @throws 422 that names each mistake
 */
export function savedQuery(type: ViewType, query: NonNullable<ViewInput['query']>): SavedQuery {
  if (query.type !== undefined && query.type !== type) {
    throw unprocessable([attributeIssue('query/type', `The type of the query must be the query-type: ${type}`)]);
  }
  const filters = (query.filter ?? []).flatMap(filtersOf);
  const saved = { filter: filters, fields: fieldsIn(query.fields), sort: [query.sort ?? []].flat() };
  const many = filters.findIndex(({ value }) => value.length > 1);
  if (many >= 0) throw unprocessable([issueAt(many, 'A filter takes one value. Add a filter for each value')]);
  const checked = checkQuery(inputOf(type, saved), issueAt);
  if ('issues' in checked) throw unprocessable(checked.issues);
  if (Buffer.byteLength(JSON.stringify(saved)) > MAX_QUERY) {
    const detail = `The query has more than ${MAX_QUERY} bytes. Use fewer filters, or shorter values`;
    throw unprocessable([attributeIssue('query', detail)]);
  }
  return saved;
}

/** Returns the query to run. Undefined if it names something that this version of the server does not know. */
export function queryToRun(type: ViewType, saved: SavedQuery): ExplorerQuery | undefined {
  const checked = checkQuery(inputOf(type, saved), issueAt);
  return 'query' in checked ? checked.query : undefined;
}

function inputOf(type: ViewType, { filter, fields, sort }: SavedQuery) {
  const filters = filter.map(({ field, operator, value }): FilterInput => ({ field, operator, value: value[0] ?? '' }));
  return { type, filters, fields, sort };
}

function issueAt(place: Place, detail: string): Issue {
  return attributeIssue(typeof place === 'number' ? `query/filter/${place}` : `query/${place}`, detail);
}

function filtersOf({ field, operator, value, ...nested }: Static<typeof Filter>): SavedQuery['filter'] {
  const flat = field === undefined ? [] : [{ field, operator: operator ?? '', value: valuesOf(value) }];
  const others = Object.entries(nested as Record<string, Record<string, Static<typeof Values>>>);
  const each = others.flatMap(([name, operators]) =>
    Object.entries(operators).map(([word, values]) => ({
      field: name.replaceAll('-', '_'),
      operator: word,
      value: valuesOf(values),
    })),
  );
  return [...flat, ...each];
}

const valuesOf = (value: Static<typeof Values> | undefined): string[] => [value ?? []].flat();

function fieldsIn(fields: NonNullable<ViewInput['query']>['fields']): string[] {
  if (fields === undefined) return [];
  return Array.isArray(fields) ? [...fields] : Object.values(fields as Record<string, string[]>).flat();
}
