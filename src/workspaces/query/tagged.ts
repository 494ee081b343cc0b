import { Type } from 'typebox';
import { AppError } from '../../lib/errors.ts';
import { text } from '../jsonapi/schema.ts';

/**
 * Each value costs a look-up.
 * @limit values of filter[tagged], values -> 400
 */
const MAX_FILTERS = 20;
const TAGGED_PARAMETER = /^filter\[tagged\]\[(0|[1-9]\d{0,2})\]\[(key|value)\]$/;
const part = text(300);

/** Parameters of the first tag; `taggedPattern` defines those of others. */
export const taggedQuery = {
  'filter[tagged][0][key]': Type.Optional(part),
  'filter[tagged][0][value]': Type.Optional(part),
};

/** Parameters of tags with a number from 0 to 999, as an option of a query schema. */
export const taggedPattern = { patternProperties: { [TAGGED_PARAMETER.source]: part } };

/**
 * Returns key and value of each number. An empty value matches any, because official clients send it so.
 * @throws 400 for too many filters, or a value without its key
 */
export function taggedBy(query: Readonly<Record<string, unknown>>): { key: string; value: string }[] {
  const filters = new Map<string, { key: string; value: string }>();
  for (const [parameter, given] of Object.entries(query)) {
    const [, index = '', part] = TAGGED_PARAMETER.exec(parameter) ?? [];
    if (part === undefined) continue;
    const { key, value } = filters.get(index) ?? { key: '', value: '' };
    filters.set(index, part === 'key' ? { key: String(given), value } : { key, value: String(given) });
  }
  if (filters.size > MAX_FILTERS) {
    const detail = `filter[tagged] takes at most ${MAX_FILTERS} values`;
    throw new AppError('bad-request', detail, { issues: [{ detail, parameter: 'filter[tagged]' }] });
  }
  for (const [index, { key, value }] of filters) {
    if (key === '' && value !== '') throw withoutKey(index);
  }
  return [...filters.values()].filter(({ key }) => key !== '');
}

function withoutKey(index: string): AppError {
  const detail = `filter[tagged][${index}][value] requires filter[tagged][${index}][key], the key of the value`;
  const issues = [{ detail, parameter: `filter[tagged][${index}][value]` }];
  return new AppError('bad-request', detail, { issues });
}
