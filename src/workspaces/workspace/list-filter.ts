import { type Static, Type } from 'typebox';
import { AppError } from '../../lib/errors.ts';
import { pageQuery } from '../jsonapi/pagination.ts';
import { commaList, text } from '../jsonapi/schema.ts';
import { type ListFilter, SORTS } from './list-store.ts';

/** Each costs a look-up or a condition. */
const MAX_TERMS = 20;
const TAGGED = /^filter\[tagged\]\[(\d{1,3})\]\[(key|value)\]$/;

const filter = Type.Optional(text(1000));

/** The query of spec §4.3. `filter[tagged][i][key]` has a number in its name and is read by `filterOf`. */
export const ListQuery = Type.Object(
  {
    ...pageQuery,
    include: filter,
    'search[name]': filter,
    'search[wildcard-name]': filter,
    'search[tags]': filter,
    'search[exclude-tags]': filter,
    'filter[project][id]': filter,
    'filter[current-run][status]': filter,
    sort: Type.Optional(Type.Enum(Object.keys(SORTS) as (keyof typeof SORTS)[])),
  },
  { patternProperties: { [TAGGED.source]: text(300) } },
);

/** @throws 400 for more words than a list is worth */
export function filterOf(query: Static<typeof ListQuery>): ListFilter {
  return {
    name: query['search[name]'] || undefined,
    wildcardName: query['search[wildcard-name]'] || undefined,
    tags: terms(query, 'search[tags]'),
    excludedTags: terms(query, 'search[exclude-tags]'),
    bindings: taggedBy(query),
    runStatuses: atMost(commaList(query['filter[current-run][status]']), 'filter[current-run][status]'),
    sort: query.sort ?? 'name',
  };
}

function terms(query: Static<typeof ListQuery>, parameter: 'search[tags]' | 'search[exclude-tags]'): string[] {
  const words = [...new Set(commaList(query[parameter]).map((word) => word.trim()))];
  return atMost(words, parameter);
}

/** Key and value of the same number belong together. An empty value stands for any: official clients send it so. */
function taggedBy(query: Readonly<Record<string, unknown>>): ListFilter['bindings'] {
  const filters = new Map<string, { key: string; value: string }>();
  for (const [parameter, given] of Object.entries(query)) {
    const [, index = '', part] = TAGGED.exec(parameter) ?? [];
    if (part === undefined) continue;
    const { key, value } = filters.get(index) ?? { key: '', value: '' };
    filters.set(index, part === 'key' ? { key: String(given), value } : { key, value: String(given) });
  }
  return atMost([...filters.values()], 'filter[tagged]').filter(({ key }) => key !== '');
}

function atMost<T>(items: T[], parameter: string): T[] {
  if (items.length <= MAX_TERMS) return items;
  const detail = `${parameter} takes at most ${MAX_TERMS} values`;
  throw new AppError('bad-request', detail, { issues: [{ detail, parameter }] });
}
