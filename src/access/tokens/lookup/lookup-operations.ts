import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import type { IdentityService } from '../../identity/index.ts';
import type { Token } from '../../model/token.ts';
import { answersData, answersKeys } from '../../operation/answer.ts';
import { listReply, PAGE_FIELDS, pageOf } from '../../operation/listing.ts';
import type { Call, Operation, Reply } from '../../operation/operation.ts';
import type { TokenService } from '../lifecycle/token-service.ts';
import { lookupData, TokenLookup } from './lookup-data.ts';
import { ACCESSOR_FIELDS, TOKEN_FIELDS, tokenByAccessor, tokenTextIn } from './named-token.ts';

export interface LookupParts {
  readonly tokens: TokenService;
  readonly identities: Pick<IdentityService, 'policiesOf'>;
  readonly clock: Clock;
}

/** What tokens are: one's own, another by its text or by its accessor, and the accessors of all. */
export function lookupOperations({ tokens, identities, clock }: LookupParts): readonly Operation[] {
  const lookupSelf = {
    path: 'lookup-self',
    summary: 'Look up the token of the request',
    answers: answersData(TokenLookup),
    async handle({ caller }: Call) {
      return { data: lookupData(caller, clock()) };
    },
  };
  async function lookup(text: string): Promise<Reply> {
    const token = await tokens.find(text);
    if (!token) throw new AppError('forbidden', 'bad token');
    return shown(token, text);
  }
  async function shown(token: Token, text: string): Promise<Reply> {
    return { data: lookupData({ token, text, identityPolicies: await identities.policiesOf(token) }, clock()) };
  }
  return [
    { ...lookupSelf, id: 'token-look-up-self', verb: 'read' },
    { ...lookupSelf, id: 'token-look-up-self2', verb: 'update' },
    {
      path: 'lookup',
      verb: 'update',
      id: 'token-look-up',
      summary: 'Look up a token',
      answers: answersData(TokenLookup),
      fields: TOKEN_FIELDS,
      handle: ({ data }) => lookup(tokenTextIn(data)),
    },
    {
      path: 'lookup/:token',
      secrets: ['token'],
      verb: 'read',
      id: 'token-look-up-by-path',
      summary: 'Look up a token; for old clients, since a token has no place in a URL',
      answers: answersData(TokenLookup),
      parameters: { token: 'The token.' },
      handle: ({ params }) => lookup(params.token ?? ''),
    },
    {
      path: 'lookup-accessor',
      verb: 'update',
      id: 'token-look-up-accessor',
      summary: 'Look up a token by its accessor; its text is not shown',
      answers: answersData(TokenLookup),
      fields: ACCESSOR_FIELDS,
      async handle({ data }) {
        return shown(await tokenByAccessor(tokens, data), '');
      },
    },
    {
      path: 'accessors',
      verb: 'list',
      access: 'sudo',
      id: 'token-list-accessors',
      summary: 'List the accessors of all tokens',
      answers: answersKeys(),
      fields: PAGE_FIELDS,
      async handle({ data }) {
        const { after, most } = pageOf(data);
        return listReply(await tokens.accessors(after, most));
      },
    },
  ];
}
