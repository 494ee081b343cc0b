import { AppError } from '../../lib/errors.ts';

/**
 * Each costs a look-up.
 * @limit values of filter[tagged], values -> 400
 */
const MAX_FILTERS = 20;
/** `filter[tagged][0][key]` and `filter[tagged][0][value]` */
export const TAGGED_PARAMETER = /^filter\[tagged\]\[(\d{1,3})\]\[(key|value)\]$/;

/**
 * Key and value of the same number belong together. An empty value stands for any: official clients send it so.
 * @throws 400 for more filters than a list is worth
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
  return [...filters.values()].filter(({ key }) => key !== '');
}
