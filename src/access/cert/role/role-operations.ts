import { isoTime } from '../../../lib/clock.ts';
import { readBack, roleName } from '../../method/index.ts';
import { answersData, answersKeysInDetail, answersNothing, answersWarnings } from '../../operation/answer.ts';
import { DETAIL_FIELDS, detailedReply } from '../../operation/listing.ts';
import { DONE, type OpenCall, type Operation } from '../../operation/operation.ts';
import { CertRole, CertRoleInfo, WRITABLE_FIELDS } from '../settings/role-settings.ts';
import type { RoleService, RoleWithCas } from './role-service.ts';

const ROLE = { name: 'Name of the role, in any case.' };
/** Names are case-insensitive. */
const NAME = { param: 'name', of: (name: string) => name.toLowerCase() };
const nameOf = ({ params }: OpenCall): string => roleName(params.name ?? '');

/** Operations on roles, for administrators. */
export function roleOperations(roles: RoleService): Operation[] {
  return [
    {
      path: 'certs',
      verb: 'list',
      id: 'cert-list-certificates',
      summary: 'List roles; with `detail` the fields of each and the expiry of its CA certificates',
      answers: answersKeysInDetail(CertRoleInfo),
      fields: DETAIL_FIELDS,
      handle: (call) =>
        detailedReply(call, {
          names: (after, most) => roles.names(after, most),
          page: (after, most) => roles.page(after, most),
          infoOf: roleInfo,
        }),
    },
    {
      path: 'certs/:name',
      canonical: NAME,
      verb: 'update',
      id: 'cert-write-certificate',
      summary: 'Write a role; absent fields keep their value',
      answers: answersWarnings(),
      parameters: ROLE,
      fields: WRITABLE_FIELDS,
      async handle(call) {
        return { warnings: await roles.write(nameOf(call), call.data, call.mount.tuning) };
      },
    },
    {
      path: 'certs/:name',
      canonical: NAME,
      verb: 'read',
      id: 'cert-read-certificate',
      summary: 'Read a role',
      answers: answersData(CertRole),
      parameters: ROLE,
      async handle(call) {
        return roles.read(nameOf(call));
      },
    },
    {
      path: 'certs/:name',
      canonical: NAME,
      verb: 'delete',
      id: 'cert-delete-certificate',
      summary: 'Delete a role',
      answers: answersNothing(),
      parameters: ROLE,
      async handle(call) {
        await roles.remove(nameOf(call));
        return DONE;
      },
    },
  ];
}

function roleInfo({ settings, authorities }: RoleWithCas): Record<string, unknown> {
  const shown = authorities.map(({ subject, notAfter }) => ({
    subject: subject.toString(),
    not_after: isoTime(notAfter),
  }));
  return { ...readBack(settings), authorities: shown };
}
