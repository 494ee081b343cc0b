import { AppError } from '../../../lib/errors.ts';
import type { Token } from '../../model/token.ts';
import { described, parseFields, secret, text } from '../../operation/fields.ts';
import type { TokenService } from '../lifecycle/token-service.ts';

export const TOKEN_FIELDS = described({ token: secret() }, { token: 'The token.' });
export const ACCESSOR_FIELDS = described({ accessor: text() }, { accessor: "The token's accessor." });

type Data = Readonly<Record<string, unknown>>;

/** @throws AppError bad-request */
export function tokenTextIn(data: Data): string {
  const { token = '' } = parseFields(TOKEN_FIELDS, data).values;
  if (token === '') throw new AppError('bad-request', 'missing token ID');
  return token;
}

/** @throws AppError bad-request */
export function accessorIn(data: Data): string {
  const { accessor = '' } = parseFields(ACCESSOR_FIELDS, data).values;
  if (accessor === '') throw new AppError('bad-request', 'missing accessor');
  return accessor;
}

/**
 * Finds the live token with an accessor.
 * @throws AppError bad-request with one message for all unknown accessors
 */
export async function tokenByAccessor(tokens: TokenService, data: Data): Promise<Token> {
  const token = await tokens.findByAccessor(accessorIn(data));
  if (!token) throw new AppError('bad-request', 'invalid accessor');
  return token;
}
