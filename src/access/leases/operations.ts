import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { answersData, answersKeys, answersNothing, answersRefusal, answersTaken } from '../api/answer.ts';
import { type Call, DONE, type Operation } from '../api/operation.ts';
import { described, parseFields, text } from '../fields.ts';
import { listReply, PAGE_FIELDS, pageOf } from '../listing.ts';
import type { Token } from '../tokens/token.ts';
import type { TokenService } from '../tokens/token-service.ts';
import { idInLease, Lease, leaseData, leaseId } from './lease.ts';

const LEASE_FIELDS = described({ lease_id: text() }, { lease_id: 'The path that the token came from, and its id.' });
const SWEPT = 'What is dead was swept. That happens by itself every minute: this is never needed.';

type LeaseTokens = Pick<TokenService, 'findById' | 'revoke' | 'revokeBelow' | 'below' | 'sweep'>;

/**
 * `leases/…` below `sys` (facts §8.5). Tokens are all that is leased here. The old names directly below `sys` are not there
 * (CVE-2026-45808).
 */
export function leaseOperations(tokens: LeaseTokens, clock: Clock): readonly Operation[] {
  async function find(id: string): Promise<Token | undefined> {
    const token = await tokens.findById(idInLease(id));
    return token && token.expiresAt !== null && leaseId(token) === id ? token : undefined;
  }

  const list = (path: string, id: string): Operation => ({
    path,
    id,
    verb: 'list',
    access: 'sudo',
    summary: 'List leases by the paths that they came from',
    answers: answersKeys(),
    parameters: { prefix: 'The path that leases lie below.' },
    fields: PAGE_FIELDS,
    async handle({ params, data }) {
      const { after, most } = pageOf(data);
      return listReply(await tokens.below(params.prefix ?? '', after, most));
    },
  });

  /** Everything below is dead when the answer is given. */
  const revokeBelow = (path: string, id: string, summary: string): Operation => ({
    path,
    id,
    verb: 'update',
    access: 'sudo',
    summary,
    answers: answersNothing(),
    parameters: { prefix: 'A lease, or the path that leases lie below.' },
    async handle({ params }) {
      const { prefix = '' } = params;
      const token = await find(prefix);
      if (token) await tokens.revoke(token);
      else await tokens.revokeBelow(prefix);
      return DONE;
    },
  });

  return [
    {
      path: 'leases/lookup',
      verb: 'update',
      id: 'leases-read-lease',
      summary: 'Look up a lease',
      answers: answersData(Lease),
      fields: LEASE_FIELDS,
      async handle(call) {
        const token = await find(leaseIdIn(call));
        if (token?.expiresAt == null) throw new AppError('bad-request', 'invalid lease');
        return { data: leaseData(token, token.expiresAt, clock()) };
      },
    },
    list('leases/lookup', 'leases-look-up'),
    list('leases/lookup/*prefix', 'leases-look-up-with-prefix'),
    {
      path: 'leases/renew',
      verb: 'update',
      id: 'leases-renew-lease',
      summary: 'Refuse to renew a token by its lease: that is a matter of auth/token/renew',
      answers: answersRefusal(),
      fields: LEASE_FIELDS,
      async handle(call) {
        const token = await find(leaseIdIn(call));
        const message = token ? 'tokens cannot be renewed through this endpoint' : 'lease not found';
        throw new AppError('bad-request', message);
      },
    },
    {
      path: 'leases/revoke',
      verb: 'update',
      id: 'leases-revoke-lease',
      summary: 'Revoke the token that a lease is of',
      answers: answersNothing(),
      fields: LEASE_FIELDS,
      async handle(call) {
        const token = await find(leaseIdIn(call));
        if (token) await tokens.revoke(token);
        return DONE;
      },
    },
    revokeBelow(
      'leases/revoke-prefix/*prefix',
      'leases-revoke-lease-with-prefix',
      'Revoke every token that came from below a path',
    ),
    revokeBelow(
      'leases/revoke-force/*prefix',
      'leases-force-revoke-lease-with-prefix',
      'The same: nothing here can fail that would have to be forced',
    ),
    {
      path: 'leases/tidy',
      verb: 'update',
      id: 'leases-tidy',
      summary: 'Sweep what is dead',
      answers: answersTaken(),
      async handle() {
        await tokens.sweep();
        return { status: 202, warnings: [SWEPT] };
      },
    },
  ];
}

/** @throws AppError bad-request */
function leaseIdIn({ data }: Call): string {
  const { lease_id: id = '' } = parseFields(LEASE_FIELDS, data).values;
  if (id === '') throw new AppError('bad-request', 'lease_id must be specified');
  return id;
}
