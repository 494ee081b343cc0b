import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import type { IdentityService } from '../../identity/index.ts';
import type { Token } from '../../model/token.ts';
import { answersData } from '../../operation/answer.ts';
import { described, flag, parseFields } from '../../operation/fields.ts';
import { listReply, PAGE_FIELDS, pageOf } from '../../operation/listing.ts';
import type { Call, Caller, Operation, Reply } from '../../operation/operation.ts';
import type { TokenService } from '../lifecycle/token-service.ts';
import { lookupData, parentOf, TokenList, TokenLookup } from './lookup-data.ts';
import { ACCESSOR_FIELDS, TOKEN_FIELDS, tokenByAccessor, tokenTextIn } from './named-token.ts';

const BY_ACCESSOR = 'auth/token/lookup-accessor';
/** @limit tokens with details in one list, tokens -> 400 with advice to use pages */
export const MAX_DETAILED = 200;
const TOO_MANY = `with 'detail' a list may have at most ${MAX_DETAILED} tokens; use pages with 'limit' and 'after'`;
/** @limit counted descendants of a token, tokens -> the others are not counted */
const MAX_DESCENDANTS = 1000;

const DETAIL_FIELDS = described({ detail: flag() }, { detail: 'Whether to return the properties of each token.' });
const WITH_KIN_FIELDS = {
  ...ACCESSOR_FIELDS,
  ...described(
    { detail: flag() },
    { detail: 'Whether to return its parent and the number of tokens that are revoked with it.' },
  ),
};

export interface LookupParts {
  readonly tokens: TokenService;
  readonly identities: Pick<IdentityService, 'policiesOf'>;
  readonly clock: Clock;
}

/** Operations that look up tokens: the caller's, another one by text or accessor, and the list of all accessors. */
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
  async function detailed(caller: Caller, after: string, most: number): Promise<Reply> {
    if (!caller.acl.decide({ path: BY_ACCESSOR, capability: 'update' }).allowed)
      throw new AppError('forbidden', `details need the capability update on ${BY_ACCESSOR}`);
    const page = await tokens.page(after, Math.min(most, MAX_DETAILED + 1));
    if (page.length > MAX_DETAILED) throw new AppError('bad-request', TOO_MANY);
    const now = clock();
    const infos = page.map(({ token, blocked, parentAccessor }) => {
      // Policies of identities are only in the lookup of a single token.
      const shown = lookupData({ token, text: '', identityPolicies: [] }, now);
      return [token.accessor, { ...shown, disabled: blocked, ...parentOf(token, parentAccessor) }] as const;
    });
    return listReply(
      infos.map(([accessor]) => accessor),
      Object.fromEntries(infos),
    );
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
      summary: 'Look up a token in the path; for older clients, because a URL should not contain a token',
      answers: answersData(TokenLookup),
      parameters: { token: 'The token.' },
      handle: ({ params }) => lookup(params.token ?? ''),
    },
    {
      path: 'lookup-accessor',
      verb: 'update',
      id: 'token-look-up-accessor',
      summary: 'Look up a token by its accessor; does not return its text',
      answers: answersData(TokenLookup),
      fields: WITH_KIN_FIELDS,
      async handle({ data }) {
        const token = await tokenByAccessor(tokens, data);
        const reply = await shown(token, '');
        const { detail = false } = parseFields(WITH_KIN_FIELDS, data).values;
        if (!detail) return reply;
        const kin = parentOf(token, await tokens.parentAccessor(token));
        return { data: { ...reply.data, ...kin, descendants: await tokens.descendants(token, MAX_DESCENDANTS) } };
      },
    },
    {
      path: 'accessors',
      verb: 'list',
      access: 'sudo',
      id: 'token-list-accessors',
      summary:
        'List the accessors of all tokens; with `detail` the properties of each, if the caller may look up ' +
        'tokens by accessor',
      answers: answersData(TokenList),
      fields: { ...PAGE_FIELDS, ...DETAIL_FIELDS },
      async handle({ data, caller }) {
        const { after, most } = pageOf(data);
        const { detail = false } = parseFields(DETAIL_FIELDS, data).values;
        return detail ? detailed(caller, after, most) : listReply(await tokens.accessors(after, most));
      },
    },
  ];
}
