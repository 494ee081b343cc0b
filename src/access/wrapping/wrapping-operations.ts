import { AppError } from '../../lib/errors.ts';
import type { Token } from '../model/token.ts';
import { answersAnything, answersData, answersWrapped } from '../operation/answer.ts';
import { envelope } from '../operation/envelope.ts';
import { described, parseFields, secret } from '../operation/fields.ts';
import type { OpenCall, Operation } from '../operation/operation.ts';
import { component, seconds, text as shownText, time } from '../operation/schema.ts';
import type { Wrapping } from './wrapping.ts';

/**
 * Bytes that a caller may put in safe keeping.
 * @limit what is wrapped, bytes -> 413
 */
const MAX_WRAPPED = 256 * 1024;
const TOKEN_FIELDS = described({ token: secret() }, { token: 'The wrapping token. Empty: that of the request.' });

const WrappingProperties = component('WrappingProperties', {
  creation_ttl: seconds(),
  creation_time: time(),
  creation_path: shownText('The path of the request that was answered.'),
});

/**
 * `wrapping/…` below `sys` (facts §8.6). Whoever holds a wrapping token may take what it stands for: it is the only authority
 * that is asked for, wherever in the request it stands. So a token that was used before is told as such, by all clients.
 */
export function wrappingOperations(wrapping: Wrapping): readonly Operation[] {
  async function holderOf({ data, presented, event }: OpenCall): Promise<Token> {
    const { token = '' } = parseFields(TOKEN_FIELDS, data).values;
    const holder = await wrapping.holder(token || (presented ?? ''));
    event.add({ actor_kind: 'token', actor_accessor: holder.accessor, actor_name: holder.displayName });
    return holder;
  }

  const lookup = {
    path: 'wrapping/lookup',
    access: 'anyone',
    summary: 'Say what a wrapping token was made for; it stays good',
    answers: answersData(WrappingProperties),
    async handle(call: OpenCall) {
      return { data: { ...(await wrapping.lookup(await holderOf(call))) } };
    },
  } as const;

  return [
    {
      path: 'wrapping/wrap',
      verb: 'update',
      id: 'wrap',
      summary: 'Wrap what is sent',
      answers: answersWrapped(),
      bodyLimit: MAX_WRAPPED,
      async handle({ data, wrapTtl }) {
        if (wrapTtl === 0) throw new AppError('bad-request', 'this needs the header X-Vault-Wrap-TTL');
        return { data };
      },
    },
    {
      path: 'wrapping/unwrap',
      verb: 'update',
      access: 'anyone',
      id: 'unwrap',
      summary: 'Take what a wrapping token stands for: the one in the body, or that of the request',
      answers: answersAnything(),
      fields: TOKEN_FIELDS,
      handle: async (call) => wrapping.unwrap(await holderOf(call)),
    },
    { ...lookup, id: 'read-wrapping-properties', verb: 'update', fields: TOKEN_FIELDS },
    // Only by the header: a token has no place in a URL.
    {
      ...lookup,
      id: 'read-wrapping-properties2',
      verb: 'read',
      handle: (call) => lookup.handle({ ...call, data: {} }),
    },
    {
      path: 'wrapping/rewrap',
      verb: 'update',
      access: 'anyone',
      id: 'rewrap',
      summary: 'Exchange a wrapping token for a new one, as long as it was',
      answers: answersWrapped(),
      fields: TOKEN_FIELDS,
      async handle(call) {
        return { bare: envelope(call.requestId, { wrapInfo: await wrapping.rewrap(await holderOf(call)) }) };
      },
    },
  ];
}
