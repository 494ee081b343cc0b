import { formatSeconds } from '../../../lib/duration.ts';
import { AppError } from '../../../lib/errors.ts';
import type { TtlLimits } from '../../model/ttl-limits.ts';
import { answersData, answersKeys, answersNothing, answersWarnings } from '../../operation/answer.ts';
import { listReply, PAGE_FIELDS, pageOf } from '../../operation/listing.ts';
import { DONE, type OpenCall, type Operation } from '../../operation/operation.ts';
import { mergeRole, readBack, TOKEN_ROLE_FIELDS, TokenRoleView } from './token-role.ts';
import type { TokenRoleStore } from './token-role-store.ts';

const PARAMETERS = { name: 'Name of the token role.' };
const NAME = /^\w(?:[\w.-]{0,254}\w)?$/;

/** @throws AppError not-found for an invalid name, as for any unknown path */
function nameOf({ params: { name = '' } }: OpenCall): string {
  if (!NAME.test(name)) throw new AppError('not-found', '1 error occurred:\n\t* unsupported path\n\n');
  return name;
}

/** Operations on token roles, for administrators. */
export function tokenRoleOperations(roles: TokenRoleStore, { maxTtl }: TtlLimits): readonly Operation[] {
  return [
    {
      path: 'roles',
      verb: 'list',
      id: 'token-list-roles',
      summary: 'List token roles',
      answers: answersKeys(),
      fields: PAGE_FIELDS,
      async handle({ data }) {
        const { after, most } = pageOf(data);
        return listReply(await roles.names(after, most));
      },
    },
    {
      path: 'roles/:name',
      verb: 'read',
      id: 'token-read-role',
      summary: 'Read a token role',
      answers: answersData(TokenRoleView),
      parameters: PARAMETERS,
      async handle(call) {
        const role = await roles.find(nameOf(call));
        if (!role) throw new AppError('not-found', '');
        return { data: readBack(nameOf(call), role) };
      },
    },
    {
      path: 'roles/:name',
      verb: 'update',
      id: 'token-write-role',
      summary: 'Write a token role; absent fields keep their value',
      answers: answersWarnings(),
      parameters: PARAMETERS,
      fields: TOKEN_ROLE_FIELDS,
      exists: async ({ params }) => (await roles.find(params.name ?? '')) !== undefined,
      async handle(call) {
        const { role, warnings } = await roles.update(nameOf(call), (stored) => mergeRole(stored, call.data));
        return { warnings: [...warnings, ...beyond(role.token_explicit_max_ttl, maxTtl)] };
      },
    },
    {
      path: 'roles/:name',
      verb: 'delete',
      id: 'token-delete-role',
      summary: 'Delete a token role; its tokens stay valid but cannot be renewed',
      answers: answersNothing(),
      parameters: PARAMETERS,
      async handle(call) {
        await roles.remove(nameOf(call));
        return DONE;
      },
    },
  ];
}

function beyond(explicitMaxTtl: number, maxTtl: number): string[] {
  if (explicitMaxTtl <= maxTtl) return [];
  const [given, most] = [formatSeconds(explicitMaxTtl), formatSeconds(maxTtl)];
  return [`Given explicit max TTL of ${given} is greater than the maximum of ${most}, which applies`];
}
