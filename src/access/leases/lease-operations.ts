import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import type { Token } from '../model/token.ts';
import { answersData, answersKeys, answersRefusal, answersTaken } from '../operation/answer.ts';
import { described, flag, parseFields, seconds, text } from '../operation/fields.ts';
import { listReply, PAGE_FIELDS, pageOf } from '../operation/listing.ts';
import { type Call, DONE, type Operation, type Reply } from '../operation/operation.ts';
import { anyObject, component, integer, listOf } from '../operation/schema.ts';
import type { TokenService } from '../tokens/index.ts';
import { idInLease, Lease, leaseData, leaseId } from './lease.ts';

const LEASE_FIELDS = described(
  { lease_id: text() },
  { lease_id: "The path that issued the token, and the token's id." },
);
const RENEW_FIELDS = {
  ...LEASE_FIELDS,
  ...described({ increment: seconds() }, { increment: 'Accepted for compatibility; ignored.' }),
};
const SYNC_FIELDS = described({ sync: flag(true) }, { sync: 'Whether to wait until the revocation is complete.' });
const REVOKE_FIELDS = { ...LEASE_FIELDS, ...SYNC_FIELDS };
const IRREVOCABLE_FIELDS = described(
  { type: text(), include_child_namespaces: flag() },
  { type: 'irrevocable', include_child_namespaces: 'Always zero: no lease can become irrevocable.' },
);
const IRREVOCABLE_LIST_FIELDS = {
  ...IRREVOCABLE_FIELDS,
  ...described({ limit: text() }, { limit: 'Maximum number of leases to return, or `none`.' }),
};
const IN_PATH = { lease_id: 'The lease, if the body does not name one.' };
const SWEPT =
  'Expired tokens were removed. A background task does this every minute, so you need not call this operation.';

const LeaseCount = component('LeaseCount', { lease_count: integer(), counts: anyObject() });
const IrrevocableLeases = component('IrrevocableLeases', { lease_count: integer(), leases: listOf(anyObject()) });
/** Returns 202 to a caller that does not wait (`sync` is false). */
const REVOKED = { 202: null, 204: null };

type LeaseTokens = Pick<TokenService, 'findById' | 'revoke' | 'revokeBelow' | 'below' | 'sweep'>;

/**
 * Routes `leases/…` below `sys`. Only tokens have leases. The legacy routes directly below `sys` are
 * left out on purpose (CVE-2026-45808).
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
    summary: 'List leases by the path that issued them',
    answers: answersKeys(),
    parameters: { prefix: 'Path prefix of the leases.' },
    fields: PAGE_FIELDS,
    async handle({ params, data }) {
      const { after, most } = pageOf(data);
      return listReply(await tokens.below(params.prefix ?? '', after, most));
    },
  });

  /** Revokes every token below a path before it responds. */
  const revokeBelow = (path: string, id: string, summary: string): Operation => ({
    path,
    id,
    verb: 'update',
    access: 'sudo',
    summary,
    answers: REVOKED,
    parameters: { prefix: 'A lease, or a path prefix of leases.' },
    fields: SYNC_FIELDS,
    async handle({ params, data }) {
      const { prefix = '' } = params;
      const reply = revoked(data);
      const token = await find(prefix);
      if (token) await tokens.revoke(token);
      else await tokens.revokeBelow(prefix);
      return reply;
    },
  });

  const renew = (path: string, id: string): Operation => ({
    path,
    verb: 'update',
    id,
    parameters: IN_PATH,
    summary: 'Refuse to renew a token by its lease; use auth/token/renew',
    answers: answersRefusal(),
    fields: RENEW_FIELDS,
    async handle(call) {
      const token = await find(leaseIdIn(call));
      const message = token ? 'tokens cannot be renewed through this endpoint' : 'lease not found';
      throw new AppError('bad-request', message);
    },
  });

  const revoke = (path: string, id: string): Operation => ({
    path,
    verb: 'update',
    id,
    parameters: IN_PATH,
    summary: 'Revoke the token of a lease',
    answers: REVOKED,
    fields: REVOKE_FIELDS,
    async handle(call) {
      const reply = revoked(call.data);
      const token = await find(leaseIdIn(call));
      if (token) await tokens.revoke(token);
      return reply;
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
    renew('leases/renew', 'leases-renew-lease'),
    renew('leases/renew/*lease_id', 'leases-renew-lease-with-id'),
    revoke('leases/revoke', 'leases-revoke-lease'),
    revoke('leases/revoke/*lease_id', 'leases-revoke-lease-with-id'),
    revokeBelow(
      'leases/revoke-prefix/*prefix',
      'leases-revoke-lease-with-prefix',
      'Revoke all tokens issued below a path',
    ),
    revokeBelow(
      'leases/revoke-force/*prefix',
      'leases-force-revoke-lease-with-prefix',
      'Revoke all tokens issued below a path; like revoke-prefix, because no revocation can fail',
    ),
    {
      path: 'leases/tidy',
      verb: 'update',
      id: 'leases-tidy',
      summary: 'Remove expired tokens',
      answers: answersTaken(),
      async handle() {
        await tokens.sweep();
        return { status: 202, warnings: [SWEPT] };
      },
    },
    {
      path: 'leases/count',
      verb: 'read',
      id: 'leases-count',
      summary: 'Count leases that cannot be revoked; always zero',
      answers: answersData(LeaseCount),
      fields: IRREVOCABLE_FIELDS,
      async handle({ data }) {
        assertIrrevocable(data);
        return { data: { lease_count: 0, counts: {} } };
      },
    },
    {
      path: 'leases',
      verb: 'read',
      id: 'leases-list',
      access: 'sudo',
      summary: 'List leases that cannot be revoked; always empty',
      answers: answersData(IrrevocableLeases),
      fields: IRREVOCABLE_LIST_FIELDS,
      async handle({ data }) {
        assertIrrevocable(data);
        assertLimit(parseFields(IRREVOCABLE_LIST_FIELDS, data).values.limit ?? '');
        return { data: { lease_count: 0, leases: [] } };
      },
    },
  ];
}

/**
 * Returns the lease id from the body, or else from the path.
 * @throws AppError bad-request if neither has one
 */
function leaseIdIn({ data, params }: Call): string {
  const { lease_id: named = '' } = parseFields(LEASE_FIELDS, data).values;
  const id = named || (params.lease_id ?? '');
  if (id === '') throw new AppError('bad-request', 'lease_id must be specified');
  return id;
}

/**
 * Returns the reply of a revocation: 202 if the caller does not wait. The revocation is complete in both cases.
 * @throws AppError bad-request
 */
function revoked(data: Call['data']): Reply {
  const { sync = true } = parseFields(SYNC_FIELDS, data).values;
  return sync ? DONE : { status: 202 };
}

/**
 * Revoking a token never fails, so no lease is ever irrevocable. Other types of leases do not exist here.
 * @throws AppError not-found
 */
function assertIrrevocable(data: Call['data']): void {
  const { type = '' } = parseFields(IRREVOCABLE_FIELDS, data).values;
  if (type.toLowerCase() !== 'irrevocable') throw new AppError('not-found', '');
}

function assertLimit(limit: string): void {
  if (limit === '' || limit.toLowerCase() === 'none' || /^0*[1-9]\d{0,8}$/.test(limit)) return;
  throw new AppError('bad-request', "limit must be 'none' or a positive integer");
}
