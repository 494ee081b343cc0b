import type { Resources } from '../../api/client.ts';
import { related } from '../../api/json-api.ts';

export type Version = Resources['state-versions'];

/** Documents that came along with versions. */
export type Beside = Parameters<typeof related>[0];

/** Who made a version, by name where the answer brought them along. */
export function makerOf({ relationships }: Version, beside: Beside): string {
  const maker = relationships['created-by'].data;
  const name = related(beside, maker, 'users')?.attributes.username ?? related(beside, maker, 'teams')?.attributes.name;
  return name ?? (maker ? `${maker.type.replace(/s$/, '')} ${maker.id}` : 'somebody');
}

/** What became of a version that has no state, in words; undefined where it has one. */
export function absenceOf({ attributes: { status } }: Version): string | undefined {
  if (status === 'pending') return 'waits for its state';
  if (status === 'discarded') return 'discarded: its state never came';
  if (status === 'backing_data_soft_deleted') return 'deleted, can be restored';
  if (status === 'backing_data_permanently_deleted') return 'deleted for good';
  return undefined;
}

export const isThere = (version: Version): boolean => version.attributes.status === 'finalized';

/** Which two are compared where nobody has chosen: the newest state, and the one before. */
export function pairOf(
  versions: readonly Version[],
  chosen: { readonly from?: string; readonly to?: string },
): { readonly from: string | undefined; readonly to: string | undefined } {
  const there = versions.filter(isThere);
  const to = chosen.to ?? there.find(({ id }) => id !== chosen.from)?.id;
  const at = there.findIndex(({ id }) => id === to);
  return { to, from: chosen.from ?? there[at + 1]?.id };
}
