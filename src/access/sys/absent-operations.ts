import type { Operation, Reply } from '../api/operation.ts';
import { listReply } from '../listing.ts';

/** What clients list and there is none of here: an empty list is the answer. */
const EMPTY_LISTS = [
  { path: 'namespaces', summary: 'List namespaces; there are none' },
  { path: 'policies/password', summary: 'List password policies; there are none' },
  { path: 'quotas/rate-limit', summary: 'List rate limits; there are none' },
  { path: 'quotas/lease-count', summary: 'List limits of leases; there are none' },
] as const;

/** What clients read that is off here and cannot be put on. */
const OFF: readonly { path: string; summary: string; reply: Reply }[] = [
  {
    path: 'config/cors',
    summary: 'Say whether browsers may call from other origins; they may not',
    reply: { data: { enabled: false } },
  },
  {
    path: 'config/auditing/request-headers',
    summary: 'List the request headers on record; there are none',
    reply: { data: { headers: {} } },
  },
];

/** Questions whose honest answer is that there is nothing. Whatever would change that has no operation. */
export function absentOperations(): readonly Operation[] {
  return [
    ...EMPTY_LISTS.map(({ path, summary }) => ({
      path,
      verb: 'list' as const,
      summary,
      handle: async () => listReply([]),
    })),
    {
      path: 'config/ui/headers',
      verb: 'list',
      access: 'sudo',
      summary: 'List headers of the user interface; there are none',
      handle: async () => listReply([]),
    },
    {
      path: 'locked-users',
      verb: 'read',
      summary: 'List users that are locked out; nobody is',
      handle: async () => ({ data: { by_namespace: [], total: 0 } }),
    },
    ...OFF.map(({ path, summary, reply }) => ({
      path,
      verb: 'read' as const,
      access: 'sudo' as const,
      summary,
      handle: async () => reply,
    })),
  ];
}
