import { text } from '../../shell/search.ts';
import { ASSESSED, FIELDS, isType, USUAL, type ViewType } from './fields.ts';

/** A condition on a field. The value is empty for `is_empty` and `is_not_empty`. */
export interface Condition {
  readonly field: string;
  readonly operator: string;
  readonly value: string;
}

/** Search parameters of the explorer. */
export interface ExplorerSearch {
  readonly type?: ViewType;
  /** Conditions, one on each line: `FIELD OPERATOR VALUE`. */
  readonly where?: string;
  readonly sort?: string;
  /** Names of the columns, separated by commas. */
  readonly fields?: string;
  readonly page?: string;
  /** Saved view that was opened last. */
  readonly view?: string;
}

/** Reads the search parameters and ignores unknown ones. */
export function readExplorerSearch(search: Readonly<Record<string, unknown>>): ExplorerSearch {
  return {
    ...(isType(search.type) && { type: search.type }),
    ...text(search, 'where'),
    ...text(search, 'sort'),
    ...text(search, 'fields'),
    ...(/^[1-9]\d{0,5}$/.test(String(search.page)) && { page: String(search.page) }),
    ...text(search, 'view'),
  };
}

export const typeOf = ({ type }: ExplorerSearch): ViewType => type ?? 'workspaces';

/** Returns the shown columns that the view type has. */
export function columnsIn(search: ExplorerSearch): readonly string[] {
  const type = typeOf(search);
  const chosen = (search.fields ?? '').split(',').filter((name) => Object.hasOwn(FIELDS[type], name));
  return chosen.length === 0 ? USUAL[type] : chosen;
}

/** Returns the fields that the columns need, separated by commas: drift is known only after an assessment. */
export function fieldsOf(search: ExplorerSearch): string {
  const columns = columnsIn(search);
  return [...new Set([...columns, ...(columns.some((name) => ASSESSED.has(name)) ? ['assessed_at'] : [])])].join();
}

export function conditionsIn({ where = '' }: ExplorerSearch): Condition[] {
  return where.split('\n').flatMap((line) => {
    const [, field, operator, value = ''] = /^(\w+) (\w+)(?: (.*))?$/.exec(line) ?? [];
    return field === undefined || operator === undefined ? [] : [{ field, operator, value }];
  });
}

/** Returns the parameter of these conditions; undefined for none. */
export function whereOf(conditions: readonly Condition[]): string | undefined {
  const lines = conditions.map(({ field, operator, value }) => `${field} ${operator} ${value}`.trimEnd());
  return lines.length === 0 ? undefined : lines.join('\n');
}

/** Returns the query parameters of the API, without the page. */
export function queryOf(search: ExplorerSearch): { readonly type: ViewType } & Readonly<Record<string, string>> {
  const filters = conditionsIn(search).map(
    ({ field, operator, value }, at) => [`filter[${at}][${field}][${operator}][0]`, value] as const,
  );
  const sort = search.sort === undefined ? {} : { sort: search.sort };
  return { ...Object.fromEntries(filters), ...sort, fields: columnsIn(search).join(), type: typeOf(search) };
}
