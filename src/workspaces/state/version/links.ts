import type { Clock } from '../../../lib/clock.ts';
import { SignedLinks } from '../../../lib/signed-links/index.ts';
import type { Keyring } from '../../../storage/index.ts';

/** Last part of the path of each kind of signed URL. */
export const LINKS = {
  'state-upload': 'upload',
  'json-upload': 'json-upload',
  'state-download': 'download',
  'json-download': 'json-download',
} as const;
export type StateLinkKind = keyof typeof LINKS;
/** Signed URLs for the bytes of a version. Each allows one operation. */
export type StateLinks = Readonly<Record<StateLinkKind, SignedLinks>>;

const HOUR = 3_600_000;
/** Validity as on HCP Terraform. URLs are the same within an hour, so that documents can be cached. */
export const STATE_LINK_LIFE = { life: 25 * HOUR, step: HOUR };

/** Creates the signers of all kinds. */
export function stateLinks(keyring: Keyring, clock: Clock): StateLinks {
  const kinds = Object.entries(LINKS).map(([purpose, last]) => {
    const path = (id: string, link: string) => `/api/v2/state-versions/${id}/${last}?link=${link}`;
    return [purpose, new SignedLinks(keyring, clock, { purpose, path, life: STATE_LINK_LIFE })];
  });
  return Object.fromEntries(kinds);
}
