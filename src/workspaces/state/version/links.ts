import type { Clock } from '../../../lib/clock.ts';
import { type Link, SignedLinks } from '../../../lib/signed-links/index.ts';
import type { Keyring } from '../../../storage/index.ts';

/** Operation and target of a signed URL. */
export const LINKS = {
  'state-upload': 'upload',
  'json-upload': 'json-upload',
  'state-download': 'download',
  'json-download': 'json-download',
} as const;
export type LinkKind = keyof typeof LINKS;

const HOUR = 3_600_000;
/** Validity as on HCP Terraform. URLs are the same within an hour, so that documents can be cached. */
export const STATE_LINK_LIFE = { life: 25 * HOUR, step: HOUR };

/** Signed URLs for the bytes of a version. Each allows one operation. */
export class StateLinks {
  readonly #links: Readonly<Record<LinkKind, SignedLinks>>;

  constructor(keyring: Keyring, clock: Clock) {
    const kinds = Object.keys(LINKS) as LinkKind[];
    const links = kinds.map((kind) => [kind, new SignedLinks(keyring, clock, kind, STATE_LINK_LIFE)] as const);
    this.#links = Object.fromEntries(links) as Record<LinkKind, SignedLinks>;
  }

  sign(origin: string, kind: LinkKind, link: Link): string {
    const url = new URL(`/api/v2/state-versions/${link.id}/${LINKS[kind]}`, origin);
    url.search = `link=${this.#links[kind].sign(link)}`;
    return url.href;
  }

  /** Returns the claims; undefined if the URL is for another operation or version, or has expired. */
  open(kind: LinkKind, versionId: string, text: string): Link | undefined {
    const link = this.#links[kind].open(text);
    return link?.id === versionId ? link : undefined;
  }
}
