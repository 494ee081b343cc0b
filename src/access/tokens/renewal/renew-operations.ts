import { AppError } from '../../../lib/errors.ts';
import type { IdentityService } from '../../identity/index.ts';
import type { Token } from '../../model/token.ts';
import { answersAuth } from '../../operation/answer.ts';
import { described, parseFields, seconds } from '../../operation/fields.ts';
import type { Call, Operation, Reply } from '../../operation/operation.ts';
import { authReply } from '../creation/auth-block.ts';
import { ACCESSOR_FIELDS, TOKEN_FIELDS, tokenByAccessor, tokenTextIn } from '../lookup/named-token.ts';
import { type RenewalParts, renewToken } from './renew-token.ts';

const INCREMENT = described({ increment: seconds() }, { increment: 'Requested lifetime from now on.' });

/** Operations that renew tokens: the caller's, or another one by text or accessor. */
export function renewOperations(
  parts: RenewalParts & { readonly identities: Pick<IdentityService, 'policiesOf'> },
): readonly Operation[] {
  /** @param text text in the response; empty for a renewal by accessor */
  async function renew(call: Call, token: Token | undefined, text: string): Promise<Reply> {
    if (!token) throw new AppError('bad-request', 'token not found');
    const { increment = 0 } = parseFields(INCREMENT, call.data).values;
    const renewed = await renewToken(parts, token, call, increment);
    return authReply({ ...renewed, text }, await parts.identities.policiesOf(token));
  }
  const renewByText = async (call: Call, text: string) => renew(call, await parts.tokens.find(text), text);
  return [
    {
      path: 'renew-self',
      verb: 'update',
      id: 'token-renew-self',
      summary: 'Renew the token of the request',
      answers: answersAuth(),
      fields: INCREMENT,
      handle: (call) => renew(call, call.caller.token, call.caller.text),
    },
    {
      path: 'renew',
      verb: 'update',
      id: 'token-renew',
      summary: 'Renew a token',
      answers: answersAuth(),
      fields: { ...TOKEN_FIELDS, ...INCREMENT },
      handle: (call) => renewByText(call, tokenTextIn(call.data)),
    },
    {
      path: 'renew/:token',
      secrets: ['token'],
      verb: 'update',
      id: 'token-renew-by-path',
      summary: 'Renew a token in the path; for older clients, because a URL should not contain a token',
      answers: answersAuth(),
      parameters: { token: 'The token.' },
      fields: INCREMENT,
      handle: (call) => renewByText(call, call.params.token ?? ''),
    },
    {
      path: 'renew-accessor',
      verb: 'update',
      id: 'token-renew-accessor',
      summary: 'Renew a token by its accessor; does not return its text',
      answers: answersAuth(),
      fields: { ...ACCESSOR_FIELDS, ...INCREMENT },
      handle: async (call) => renew(call, await tokenByAccessor(parts.tokens, call.data), ''),
    },
  ];
}
