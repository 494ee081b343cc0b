import { AppError } from '../../../lib/errors.ts';
import { parseFields, text } from '../../operation/fields.ts';
import type { Call } from '../../operation/operation.ts';
import { plainName } from './names.ts';

const KEY_FIELDS = { id: text(), name: text() };

/** Canonical form of a name in a path. */
export const NAME = { param: 'name', of: plainName };

/** Descriptions of path parameters. */
export const OF_ID = { id: 'A UUID.' };
export const OF_NAME = { name: 'The name. It may contain slashes.' };

export const idIn = ({ params }: Call): string => params.id ?? '';
export const nameIn = ({ params }: Call): string => params.name ?? '';

/** Returns the id of a body, or else its name. Undefined if it has neither. */
export function keyIn(data: Call['data']): { readonly id: string } | { readonly name: string } | undefined {
  const { id = '', name = '' } = parseFields(KEY_FIELDS, data).values;
  if (id !== '') return { id };
  return name === '' ? undefined : { name };
}

/** @throws AppError not-found if the value is undefined */
export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new AppError('not-found', '');
  return value;
}
