import { AppError } from '../../lib/errors.ts';
import type { Call, Operation, Reply } from '../api/operation.ts';
import { parseFields, seconds } from '../fields.ts';
import { authReply } from './auth-block.ts';
import type { CreateParts } from './create-operations.ts';
import { ACCESSOR_FIELDS, TOKEN_FIELDS, tokenByAccessor, tokenTextIn } from './named-token.ts';
import { type RenewalParts, renewToken } from './renewal.ts';
import type { Token } from './token.ts';

const INCREMENT = { increment: seconds() };

/** More time for a token: one's own, another by its text or by its accessor. */
export function renewOperations(parts: RenewalParts & Pick<CreateParts, 'identityPolicies'>): readonly Operation[] {
  /** @param text what the answer shows; empty where the caller does not have it */
  async function renew(call: Call, token: Token | undefined, text: string): Promise<Reply> {
    if (!token) throw new AppError('bad-request', 'token not found');
    const { increment = 0 } = parseFields(INCREMENT, call.data).values;
    const renewed = await renewToken(parts, token, call, increment);
    return authReply({ ...renewed, text }, await parts.identityPolicies(token));
  }
  const renewByText = async (call: Call, text: string) => renew(call, await parts.tokens.find(text), text);
  return [
    {
      path: 'renew-self',
      verb: 'update',
      summary: 'Renew the token of the request',
      fields: INCREMENT,
      handle: (call) => renew(call, call.caller.token, call.caller.text),
    },
    {
      path: 'renew',
      verb: 'update',
      summary: 'Renew a token',
      fields: { ...TOKEN_FIELDS, ...INCREMENT },
      handle: (call) => renewByText(call, tokenTextIn(call.data)),
    },
    {
      path: 'renew/:token',
      secrets: ['token'],
      verb: 'update',
      summary: 'Renew a token; for old clients, since a token has no place in a URL',
      fields: INCREMENT,
      handle: (call) => renewByText(call, call.params.token ?? ''),
    },
    {
      path: 'renew-accessor',
      verb: 'update',
      summary: 'Renew a token by its accessor; its text is not shown',
      fields: { ...ACCESSOR_FIELDS, ...INCREMENT },
      handle: async (call) => renew(call, await tokenByAccessor(parts.tokens, call.data), ''),
    },
  ];
}
