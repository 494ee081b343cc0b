import type { Issue } from '../../../lib/errors.ts';
import { OPERATORS, type Operator, predicateOf, WITHOUT_VALUE, WrongValue } from './field.ts';
import { fieldsOf, type ViewType } from './view-type.ts';

/** @limit filters of an explorer query, filters -> 400 for a query, 422 for a saved view */
const MAX_FILTERS = 20;
/** @limit fields by which an explorer query sorts, fields -> 400 for a query, 422 for a saved view */
const MAX_SORTS = 3;
/** Maximum length of a name from a request in a message. */
const SHOWN_CHARACTERS = 60;

/** A filter as the client sends it. */
export interface FilterInput {
  readonly field: string;
  readonly operator: string;
  readonly value: string;
}

/** A query as the client sends it. */
export interface QueryInput {
  readonly type: ViewType;
  readonly filters: readonly FilterInput[];
  /** Empty for all fields. */
  readonly fields: readonly string[];
  /** Names of fields, with a hyphen for descending order. */
  readonly sort: readonly string[];
}

/** A checked query. */
export interface ExplorerQuery {
  readonly type: ViewType;
  readonly filters: readonly { readonly field: string; readonly operator: Operator; readonly value: string }[];
  /** Names of fields in the order of the view type. */
  readonly fields: readonly string[];
  readonly sort: readonly { readonly field: string; readonly descending: boolean }[];
}

/** Place of a mistake in a query: a filter by its position, the fields or the sort order. */
export type Place = number | 'filter' | 'fields' | 'sort';

/**
 * Checks the names, operators and values of a query.
 * @param issue creates the error for a mistake
 * @returns the checked query, or what is wrong with it
 */
export function checkQuery(
  input: QueryInput,
  issue: (place: Place, detail: string) => Issue,
): { readonly query: ExplorerQuery } | { readonly issues: readonly Issue[] } {
  const { type, sort } = input;
  const known = fieldsOf(type);
  const issues: Issue[] = [];
  const filters = input.filters.map((filter) => ({ ...filter, operator: filter.operator.replaceAll(' ', '_') }));
  if (filters.length > MAX_FILTERS) issues.push(issue('filter', `A query takes at most ${MAX_FILTERS} filters`));
  else {
    filters.forEach((filter, at) => {
      const mistake = mistakeIn(type, filter);
      if (mistake !== undefined) issues.push(issue(at, mistake));
    });
  }
  for (const name of input.fields) if (!isField(type, name)) issues.push(issue('fields', unknownField(type, name)));
  if (sort.length > MAX_SORTS) issues.push(issue('sort', `A query sorts by at most ${MAX_SORTS} fields`));
  const order = sort.map((name) => ({ field: name.replace(/^-/, ''), descending: name.startsWith('-') }));
  for (const { field } of order) if (!isField(type, field)) issues.push(issue('sort', unknownField(type, field)));
  if (order.some(({ field }) => field === 'workspaces' && isField(type, field)))
    issues.push(issue('sort', 'A query cannot sort by workspaces. Sort by workspace_count'));
  if (issues.length > 0) return { issues };
  const wanted = new Set(input.fields);
  const names = known.map(({ name }) => name);
  return {
    query: {
      type,
      filters: filters as unknown as ExplorerQuery['filters'],
      fields: wanted.size === 0 ? names : names.filter((name) => wanted.has(name)),
      sort: order,
    },
  };
}

/** Fields of workspaces that come from what they use. */
const OF_USES: ReadonlySet<string> = new Set([
  ...['providers', 'provider_count', 'modules', 'module_count', 'current_rum_count'],
]);

/** Returns whether a query asks for providers, modules or resource types. */
export function needsUses({ type, fields, filters, sort }: ExplorerQuery): boolean {
  if (type !== 'workspaces') return type !== 'tf_versions';
  return [...fields, ...[...filters, ...sort].map(({ field }) => field)].some((name) => OF_USES.has(name));
}

function mistakeIn(type: ViewType, { field: name, operator, value }: FilterInput): string | undefined {
  const field = fieldsOf(type).find((one) => one.name === name);
  if (field === undefined) return unknownField(type, name);
  const operators: readonly string[] = OPERATORS[field.kind];
  if (!operators.includes(operator)) {
    return `${name} has no operator "${operator.slice(0, SHOWN_CHARACTERS)}". It takes ${operators.join(', ')}`;
  }
  if (WITHOUT_VALUE.has(operator)) return undefined;
  if (value === '') return `The filter of ${name} has no value. Use is_empty for an empty field`;
  try {
    predicateOf(field.kind, operator as Operator, value);
    return undefined;
  } catch (error) {
    if (error instanceof WrongValue) return `The value of ${name} ${error.message}`;
    throw error;
  }
}

const isField = (type: ViewType, name: string): boolean => fieldsOf(type).some((field) => field.name === name);

function unknownField(type: ViewType, name: string): string {
  const names = fieldsOf(type).map((field) => field.name);
  return `${type} have no field "${name.slice(0, SHOWN_CHARACTERS)}". They have ${names.join(', ')}`;
}
