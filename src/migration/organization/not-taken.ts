import type { Connection } from '../connection/connection.ts';
import { Refused } from '../model/errors.ts';
import type { Note } from '../model/item.ts';

const NOT_SUPPORTED = 'Lockkeeper has no such resource';

/** Lists whose resources a migration cannot take, with the reason. */
const LISTS: readonly { readonly list: string; readonly about: string; readonly why: string }[] = [
  { list: 'policy-sets', about: 'policy sets', why: `${NOT_SUPPORTED}; run tasks can evaluate plans` },
  { list: 'policies', about: 'policies', why: `${NOT_SUPPORTED}; run tasks can evaluate plans` },
  { list: 'registry-modules', about: 'modules of the private registry', why: NOT_SUPPORTED },
  { list: 'registry-providers', about: 'providers of the private registry', why: NOT_SUPPORTED },
];

/** Kinds that every organization has and that no migration takes. */
const ALWAYS: readonly Note[] = [
  { about: 'tokens', why: 'no server returns them; create new tokens for users, teams and agents' },
  { about: 'runs, plans and logs', why: 'they stay at the source' },
];

/** Returns notes about resources of an organization that cannot be taken. */
export async function notTakenFrom(connection: Connection, organization: string): Promise<readonly Note[]> {
  const found: Note[] = [];
  for (const { list, about, why } of LISTS) {
    const count = await countOf(connection, organization, list);
    if (count > 0) found.push({ about: `${count} ${about}`, why });
  }
  return [...found, ...ALWAYS];
}

async function countOf(connection: Connection, organization: string, list: string): Promise<number> {
  const path = `/api/v2/organizations/${encodeURIComponent(organization)}/${list}?page[size]=1`;
  const body = await connection.find(path).catch((error: unknown) => {
    if (error instanceof Refused) return undefined;
    throw error;
  });
  const { meta, data } = (body ?? {}) as { meta?: { pagination?: { 'total-count'?: unknown } }; data?: unknown };
  const count = meta?.pagination?.['total-count'];
  if (typeof count === 'number') return count;
  return Array.isArray(data) ? data.length : 0;
}
