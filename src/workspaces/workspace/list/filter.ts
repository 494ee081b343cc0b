import { type Static, Type } from 'typebox';
import { AppError } from '../../../lib/errors.ts';
import { pageQuery } from '../../jsonapi/pagination.ts';
import { commaList, text } from '../../jsonapi/schema.ts';
import { taggedBy, taggedPattern, taggedQuery } from '../../query/tagged.ts';
import { type ListFilter, SORTS } from './store.ts';

/**
 * Each value costs a look-up or a condition.
 * @limit values of a filter of workspaces, values -> 400
 */
const MAX_TERMS = 20;

const filter = Type.Optional(text(1000));
const flag = Type.Optional(Type.Enum(['true', 'false']));

/** Query parameters of spec §4.3. `taggedBy` parses the filters by tag. */
export const ListQuery = Type.Object(
  {
    ...pageQuery,
    ...taggedQuery,
    include: filter,
    'search[name]': filter,
    'search[wildcard-name]': filter,
    'search[tags]': filter,
    'search[exclude-tags]': filter,
    'filter[project][id]': filter,
    'filter[current-run][status]': filter,
    'filter[locked]': flag,
    'filter[has-state]': flag,
    'filter[execution-mode]': filter,
    'filter[engine]': filter,
    'filter[engine-version]': filter,
    counts: flag,
    'filter[tag-union]': flag,
    'filter[tag-value-default-null]': flag,
    sort: Type.Optional(Type.Enum(Object.keys(SORTS) as (keyof typeof SORTS)[])),
  },
  taggedPattern,
);

/**
 * Parses the filter of a list.
 * @throws 400 for more words than the server searches for
 */
export function filterOf(query: Static<typeof ListQuery>): ListFilter {
  return {
    name: query['search[name]'] || undefined,
    wildcardName: query['search[wildcard-name]'] || undefined,
    tags: values(query, 'search[tags]'),
    excludedTags: values(query, 'search[exclude-tags]'),
    bindings: bindingsOf(query),
    isUnion: query['filter[tag-union]'] === 'true',
    runStatuses: values(query, 'filter[current-run][status]'),
    modes: values(query, 'filter[execution-mode]'),
    engines: values(query, 'filter[engine]'),
    engineVersion: query['filter[engine-version]'] || undefined,
    locked: isSet(query['filter[locked]']),
    hasState: isSet(query['filter[has-state]']),
    sort: query.sort ?? 'name',
  };
}

type Listing =
  | 'search[tags]'
  | 'search[exclude-tags]'
  | 'filter[current-run][status]'
  | 'filter[execution-mode]'
  | 'filter[engine]';

function values(query: Static<typeof ListQuery>, parameter: Listing): string[] {
  return atMost([...new Set(commaList(query[parameter]))], parameter);
}

function isSet(value: string | undefined): boolean | undefined {
  return value === undefined ? undefined : value === 'true';
}

/** A key without a value matches any value, or only a missing one if the client says so. */
function bindingsOf(query: Static<typeof ListQuery>): ListFilter['bindings'] {
  const unsaid = query['filter[tag-value-default-null]'] === 'true' ? '' : null;
  return taggedBy(query).map(({ key, value }) => ({ key, value: value === '' ? unsaid : value }));
}

function atMost<T>(items: T[], parameter: string): T[] {
  if (items.length <= MAX_TERMS) return items;
  const detail = `${parameter} takes at most ${MAX_TERMS} values`;
  throw new AppError('bad-request', detail, { issues: [{ detail, parameter }] });
}
