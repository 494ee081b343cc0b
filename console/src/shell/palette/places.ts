import type { Session } from '../../session/session.ts';
import { opens, type PlaceGroup } from '../places.ts';
import * as texts from '../texts.ts';
import type { Item } from './item.ts';
import { matches } from './match.ts';

/** Finds navigation entries. Entries of an API without a session token are disabled. */
export function placeItems(
  groups: readonly PlaceGroup[],
  session: Session,
  organization: string | undefined,
  words: readonly string[],
): Item[] {
  return groups.flatMap(({ label: group, places, side }) => {
    if (side !== undefined && !session.offers[side]) return [];
    return places
      .filter(({ label, inOrganization }) => matches(`${group} ${label}`, words) && !(inOrganization && !organization))
      .map(({ label, icon, to, key }) => ({
        key: `place ${label}`,
        icon,
        label,
        mid: group === '' || group === label ? '' : group.toLowerCase(),
        end: `g ${key}`,
        to: { to, params: { organization } as never },
        ...(!opens(session, side) && { off: texts.needsAToken(side) }),
        recent: { kind: 'place', names: [label] } as const,
      }));
  });
}
