import { AppError } from '../../lib/errors.ts';
import type { Token } from '../model/token.ts';
import { answersAnything, answersData, answersWrapped } from '../operation/answer.ts';
import { envelope } from '../operation/envelope.ts';
import { described, parseFields, secret } from '../operation/fields.ts';
import type { OpenCall, Operation } from '../operation/operation.ts';
import { component, seconds, text as shownText, time } from '../operation/schema.ts';
import type { Wrapping } from './wrapping.ts';

/**
 * Maximum size of a body that a caller may wrap.
 * @limit the body of a wrap request, bytes -> 413
 */
const MAX_WRAPPED = 256 * 1024;
const TOKEN_FIELDS = described(
  { token: secret() },
  { token: 'The wrapping token. If empty, the token of the request.' },
);

const WrappingProperties = component('WrappingProperties', {
  creation_ttl: seconds(),
  creation_time: time(),
  creation_path: shownText('The path of the wrapped request.'),
});

/**
 * Routes `wrapping/…` below `sys`. Except for `wrap`, the wrapping token is the only authorization that they need, in
 * the body or in the header. For that reason all official clients report an already used token as such.
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
    summary: 'Return the properties of a wrapping token without using it',
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
      summary: 'Wrap the body of the request',
      answers: answersWrapped(),
      bodyLimit: MAX_WRAPPED,
      async handle({ data, wrapTtl }) {
        if (wrapTtl === 0) throw new AppError('bad-request', 'Wrapping requires the header X-Vault-Wrap-TTL');
        return { data };
      },
    },
    {
      path: 'wrapping/unwrap',
      verb: 'update',
      access: 'anyone',
      id: 'unwrap',
      summary: 'Return the answer stored under the wrapping token in the body or in the request header',
      answers: answersAnything(),
      fields: TOKEN_FIELDS,
      handle: async (call) => wrapping.unwrap(await holderOf(call)),
    },
    { ...lookup, id: 'read-wrapping-properties', verb: 'update', fields: TOKEN_FIELDS },
    // Takes the token from the header only: a URL must not contain a token.
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
      summary: 'Exchange a wrapping token for a new one with the same lifetime',
      answers: answersWrapped(),
      fields: TOKEN_FIELDS,
      async handle(call) {
        return { bare: envelope(call.requestId, { wrapInfo: await wrapping.rewrap(await holderOf(call)) }) };
      },
    },
  ];
}
