import { AppError } from '../../lib/errors.ts';
import { answersNothing, answersTaken, answersWarnings } from '../operation/answer.ts';
import { DONE, type Operation } from '../operation/operation.ts';
import type { TokenService } from './lifecycle/token-service.ts';
import { ACCESSOR_FIELDS, accessorIn, TOKEN_FIELDS, tokenTextIn } from './lookup/named-token.ts';

const SWEPT =
  'Expired tokens were removed. A background task does this every minute, so you need not call this operation.';

/** Operations that revoke tokens with their descendants. */
export function revokeOperations(tokens: TokenService): readonly Operation[] {
  return [
    {
      path: 'revoke-self',
      verb: 'update',
      id: 'token-revoke-self',
      summary: 'Revoke the token of the request',
      answers: answersNothing(),
      async handle({ caller }) {
        await tokens.revoke(caller.token);
        return DONE;
      },
    },
    {
      path: 'revoke',
      verb: 'update',
      id: 'token-revoke',
      summary: 'Revoke a token and its descendants',
      answers: answersWarnings(),
      fields: TOKEN_FIELDS,
      async handle({ data }) {
        const token = await tokens.find(tokenTextIn(data));
        if (token) await tokens.revoke(token);
        return DONE;
      },
    },
    {
      path: 'revoke-accessor',
      verb: 'update',
      id: 'token-revoke-accessor',
      summary: 'Revoke a token and its descendants, by its accessor',
      answers: answersWarnings(),
      fields: ACCESSOR_FIELDS,
      async handle({ data }) {
        const token = await tokens.findByAccessor(accessorIn(data));
        if (!token) return { warnings: ['No token found with this accessor'] };
        await tokens.revoke(token);
        return DONE;
      },
    },
    {
      path: 'revoke-orphan',
      verb: 'update',
      id: 'token-revoke-orphan',
      summary: 'Revoke a token but not its children, which become orphans',
      answers: answersWarnings(),
      fields: TOKEN_FIELDS,
      async handle({ caller, path, data }) {
        const text = tokenTextIn(data);
        if (!caller.acl.decide({ path, capability: 'update', sudo: true }).allowed) {
          throw new AppError('bad-request', 'root or sudo privileges required to revoke and orphan');
        }
        const token = await tokens.find(text);
        if (!token) throw new AppError('bad-request', 'token to revoke not found');
        await tokens.revokeAlone(token);
        return DONE;
      },
    },
    {
      path: 'tidy',
      verb: 'update',
      id: 'token-tidy',
      summary: 'Remove expired tokens',
      answers: answersTaken(),
      async handle() {
        await tokens.sweep();
        return { status: 202, warnings: [SWEPT] };
      },
    },
  ];
}
