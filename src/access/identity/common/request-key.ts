import { AppError } from '../../../lib/errors.ts';
import { parseFields, text } from '../../operation/fields.ts';
import type { Call } from '../../operation/operation.ts';
import { plainName } from './names.ts';

const KEY_FIELDS = { id: text(), name: text() };

/** A name can be written in several ways. */
export const NAME = { param: 'name', of: plainName };

/** What the parts of paths stand for. */
export const OF_ID = { id: 'A UUID.' };
export const OF_NAME = { name: 'Its name; slashes may be in it.' };

export const idIn = ({ params }: Call): string => params.id ?? '';
export const nameIn = ({ params }: Call): string => params.name ?? '';

/** Which one a body means, where the path does not say: by its id before its name. Undefined where it says neither. */
export function keyIn(data: Call['data']): { readonly id: string } | { readonly name: string } | undefined {
  const { id = '', name = '' } = parseFields(KEY_FIELDS, data).values;
  if (id !== '') return { id };
  return name === '' ? undefined : { name };
}

/** @throws AppError not-found */
export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new AppError('not-found', '');
  return value;
}
