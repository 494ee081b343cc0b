import { type Static, Type } from 'typebox';
import { AppError, type Issue } from '../../../lib/errors.ts';
import { pageQuery } from '../../jsonapi/pagination.ts';
import { commaList, text } from '../../jsonapi/schema.ts';
import { checkQuery, type ExplorerQuery, type FilterInput } from './query.ts';
import { VIEW_TYPES } from './view-type.ts';

/** `filter[INDEX][FIELD][OPERATOR][0]`. Several filters may have one index; all of them must hold. */
const FILTER = /^filter\[(?:0|[1-9]\d{0,2})\]\[([a-z_]{1,60})\]\[([a-z_ ]{1,60})\]\[0\]$/;
/** go-tfe writes the name of the view type into the parameter. */
const FIELDS = /^fields(?:\[([a-z_]{1,60})\])?$/;

const fields = Type.Optional(text(2000));

const parameters = { type: Type.Enum([...VIEW_TYPES]), sort: Type.Optional(text(300)), fields };
const patterns = { patternProperties: { [FILTER.source]: text(1000), [FIELDS.source]: text(2000) } };

/** Query parameters of a file, which has all rows. */
export const FileParameters = Type.Object(parameters, patterns);
/** Query parameters of the explorer, as in HCP Terraform. */
export const QueryParameters = Type.Object({ ...pageQuery, ...parameters }, patterns);

/**
 * Returns the query of the parameters.
 * @throws 400 that names each unknown field, and each operator or value that a field does not take
 */
export function queryOf(given: Static<typeof FileParameters>): ExplorerQuery {
  const { type, sort } = given;
  const filters: (FilterInput & { readonly parameter: string })[] = [];
  const chosen: string[] = [];
  const issues: Issue[] = [];
  for (const [parameter, value] of Object.entries(given)) {
    const [, field, operator = ''] = FILTER.exec(parameter) ?? [];
    if (field !== undefined) filters.push({ field, operator, value: String(value), parameter });
    const [isFields, of = type] = FIELDS.exec(parameter) ?? [];
    if (isFields === undefined) continue;
    if (of === type) chosen.push(...commaList(String(value)));
    else issues.push({ detail: `The query is about ${type}: name its fields in fields[${type}]`, parameter });
  }
  const checked = checkQuery({ type, filters, fields: chosen, sort: commaList(sort) }, (place, detail) => ({
    detail,
    parameter: typeof place === 'number' ? (filters[place]?.parameter ?? 'filter') : place,
  }));
  if ('issues' in checked) issues.push(...checked.issues);
  if ('issues' in checked || issues.length > 0) {
    throw new AppError('bad-request', 'The query of the explorer is invalid', {
      issues: issues.slice(0, SHOWN_ISSUES),
    });
  }
  return checked.query;
}

/** Most errors in an answer; see `jsonapi/validation.ts`. */
const SHOWN_ISSUES = 10;
