import type { Resources } from '../../api/client.ts';
import { related } from '../../api/json-api.ts';
import * as texts from './texts.ts';

export type Version = Resources['state-versions'];

/** Related documents in the response. */
export type Beside = Parameters<typeof related>[0];

/** Returns the name of the creator of a version, or its type and id if the response does not contain it. */
export function makerOf({ relationships }: Version, beside: Beside): string {
  const maker = relationships['created-by'].data;
  const name = related(beside, maker, 'users')?.attributes.username ?? related(beside, maker, 'teams')?.attributes.name;
  return name ?? (maker ? `${maker.type.replace(/s$/, '')} ${maker.id}` : texts.unknown);
}

/** Returns why a version has no state, in words; undefined if it has one. */
export function absenceOf({ attributes: { status } }: Version): string | undefined {
  if (status === 'pending') return texts.waitingForUpload;
  if (status === 'discarded') return texts.discardedNoStateWasUploaded;
  if (status === 'backing_data_soft_deleted') return texts.deletedCanBeRestored;
  if (status === 'backing_data_permanently_deleted') return texts.deletedPermanently;
  return undefined;
}

export const isThere = (version: Version): boolean => version.attributes.status === 'finalized';

/** Returns the pair to compare: by default the newest state and its predecessor. */
export function pairOf(
  versions: readonly Version[],
  chosen: { readonly from?: string; readonly to?: string },
): { readonly from: string | undefined; readonly to: string | undefined } {
  const there = versions.filter(isThere);
  const to = chosen.to ?? there.find(({ id }) => id !== chosen.from)?.id;
  const at = there.findIndex(({ id }) => id === to);
  return { to, from: chosen.from ?? there[at + 1]?.id };
}
