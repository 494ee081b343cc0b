import { answersData, answersKeys } from '../operation/answer.ts';
import { listReply } from '../operation/listing.ts';
import type { Operation } from '../operation/operation.ts';
import { anyObject, component, flag, integer, listOf } from '../operation/schema.ts';

/** What clients list and there is none of here: an empty list is the answer. */
const EMPTY_LISTS: readonly Pick<Operation, 'id' | 'path' | 'summary' | 'access'>[] = [
  { id: 'namespaces-list', path: 'namespaces', summary: 'List namespaces; there are none' },
  {
    id: 'policies-list-password-policies',
    path: 'policies/password',
    summary: 'List password policies; there are none',
  },
  { id: 'rate-limit-quotas-list', path: 'quotas/rate-limit', summary: 'List rate limits; there are none' },
  { id: 'lease-count-quotas-list', path: 'quotas/lease-count', summary: 'List limits of leases; there are none' },
  {
    id: 'ui-headers-list',
    path: 'config/ui/headers',
    access: 'sudo',
    summary: 'List headers of the user interface; there are none',
  },
];

const LockedUsers = component('LockedUsers', { by_namespace: listOf(anyObject()), total: integer() });
const Cors = component('Cors', { enabled: flag() });
const RecordedHeaders = component('RecordedHeaders', { headers: anyObject() });

/** Questions whose honest answer is that there is nothing. Whatever would change that has no operation. */
export function absentOperations(): readonly Operation[] {
  return [
    ...EMPTY_LISTS.map(
      (one): Operation => ({ ...one, verb: 'list', answers: answersKeys(), handle: async () => listReply([]) }),
    ),
    {
      id: 'list-locked-users',
      path: 'locked-users',
      verb: 'read',
      summary: 'List users that are locked out; nobody is',
      answers: answersData(LockedUsers),
      handle: async () => ({ data: { by_namespace: [], total: 0 } }),
    },
    {
      id: 'cors-read-configuration',
      path: 'config/cors',
      verb: 'read',
      access: 'sudo',
      summary: 'Say whether browsers may call from other origins; they may not',
      answers: answersData(Cors),
      handle: async () => ({ data: { enabled: false } }),
    },
    {
      id: 'auditing-list-request-headers',
      path: 'config/auditing/request-headers',
      verb: 'read',
      access: 'sudo',
      summary: 'List the request headers on record; there are none',
      answers: answersData(RecordedHeaders),
      handle: async () => ({ data: { headers: {} } }),
    },
  ];
}
