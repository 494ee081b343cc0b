import { answersData, answersKeys } from '../operation/answer.ts';
import { listReply } from '../operation/listing.ts';
import type { Operation } from '../operation/operation.ts';
import { anyObject, component, flag, integer, listOf } from '../operation/schema.ts';

/** Lists of features that Lockkeeper does not have. They are always empty. */
const EMPTY_LISTS: readonly Pick<Operation, 'id' | 'path' | 'summary' | 'access'>[] = [
  { id: 'namespaces-list', path: 'namespaces', summary: 'List namespaces; always empty' },
  {
    id: 'policies-list-password-policies',
    path: 'policies/password',
    summary: 'List password policies; always empty',
  },
  { id: 'rate-limit-quotas-list', path: 'quotas/rate-limit', summary: 'List rate limit quotas; always empty' },
  { id: 'lease-count-quotas-list', path: 'quotas/lease-count', summary: 'List lease count quotas; always empty' },
  {
    id: 'ui-headers-list',
    path: 'config/ui/headers',
    access: 'sudo',
    summary: 'List headers of the user interface; always empty',
  },
];

const LockedUsers = component('LockedUsers', { by_namespace: listOf(anyObject()), total: integer() });
const Cors = component('Cors', { enabled: flag() });
const RecordedHeaders = component('RecordedHeaders', { headers: anyObject() });

/**
 * Operations for features that Lockkeeper does not have. They report that nothing is configured; operations that
 * would change that do not exist.
 */
export function absentOperations(): readonly Operation[] {
  return [
    ...EMPTY_LISTS.map(
      (one): Operation => ({ ...one, verb: 'list', answers: answersKeys(), handle: async () => listReply([]) }),
    ),
    {
      id: 'list-locked-users',
      path: 'locked-users',
      verb: 'read',
      summary: 'List locked users; always empty',
      answers: answersData(LockedUsers),
      handle: async () => ({ data: { by_namespace: [], total: 0 } }),
    },
    {
      id: 'cors-read-configuration',
      path: 'config/cors',
      verb: 'read',
      access: 'sudo',
      summary: 'Read the CORS configuration; CORS is always disabled',
      answers: answersData(Cors),
      handle: async () => ({ data: { enabled: false } }),
    },
    {
      id: 'auditing-list-request-headers',
      path: 'config/auditing/request-headers',
      verb: 'read',
      access: 'sudo',
      summary: 'List the audited request headers; always empty',
      answers: answersData(RecordedHeaders),
      handle: async () => ({ data: { headers: {} } }),
    },
  ];
}
