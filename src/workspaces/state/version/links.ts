import type { Clock } from '../../../lib/clock.ts';
import type { Keyring } from '../../../storage/index.ts';
import { type Link, SignedLinks } from '../../tenancy/index.ts';

/** What a signed address allows, and where it leads. */
export const LINKS = {
  'state-upload': 'upload',
  'json-upload': 'json-upload',
  'state-download': 'download',
  'json-download': 'json-download',
} as const;
export type LinkKind = keyof typeof LINKS;

const HOUR = 3_600_000;
/** As long as on the platform that clients know; the same address within an hour, so that a document stays the same. */
export const STATE_LINK_LIFE = { life: 25 * HOUR, step: HOUR };

/** The addresses of the bytes of a version, each of which allows one thing. */
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

  /** Undefined for one that is not of this kind and version, or has expired. */
  open(kind: LinkKind, versionId: string, text: string): Link | undefined {
    const link = this.#links[kind].open(text);
    return link?.id === versionId ? link : undefined;
  }
}
