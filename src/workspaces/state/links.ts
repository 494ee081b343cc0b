import type { Clock } from '../../lib/clock.ts';
import type { Keyring } from '../../storage/index.ts';

/** What a signed address allows, and where it leads. */
export const LINKS = {
  'state-upload': 'upload',
  'json-upload': 'json-upload',
  'state-download': 'download',
  'json-download': 'json-download',
} as const;
export type LinkKind = keyof typeof LINKS;

const HOUR = 3_600_000;
/** As long as on the platform that clients know. */
const LIFETIME = 25 * HOUR;
const PURPOSE = 'state-link';

/** Who was given an address, and for which version. */
export interface SignedLink {
  readonly versionId: string;
  readonly by: string;
}

/** The query of a signed address. */
export interface LinkQuery {
  readonly expires?: string;
  readonly by?: string;
  readonly signature?: string;
}

/** Addresses that need no token: whoever has one may do this one thing, for a while. */
export class StateLinks {
  readonly #keyring: Keyring;
  readonly #clock: Clock;

  constructor(keyring: Keyring, clock: Clock) {
    this.#keyring = keyring;
    this.#clock = clock;
  }

  /** The same address within an hour, so that a document stays the same. */
  sign(origin: string, kind: LinkKind, { versionId, by }: SignedLink): string {
    const expires = String((Math.ceil(this.#clock() / HOUR) * HOUR + LIFETIME) / 1000);
    const hash = this.#keyring.hash(textOf(kind, versionId, by, expires), PURPOSE);
    const url = new URL(`/api/v2/state-versions/${versionId}/${LINKS[kind]}`, origin);
    url.search = new URLSearchParams({ expires, by, signature: Buffer.from(hash).toString('base64url') }).toString();
    return url.href;
  }

  /** Undefined for one that we did not sign, or that has expired. */
  verify(
    kind: LinkKind,
    versionId: string,
    { expires = '', by = '', signature = '' }: LinkQuery,
  ): SignedLink | undefined {
    if (!/^\d{1,12}$/.test(expires)) return undefined;
    const hash = Buffer.from(signature, 'base64url');
    if (!this.#keyring.matches(textOf(kind, versionId, by, expires), PURPOSE, hash)) return undefined;
    return Number(expires) * 1000 > this.#clock() ? { versionId, by } : undefined;
  }
}

/** None of the parts holds a line feed. */
const textOf = (...parts: readonly string[]) => parts.map(encodeURIComponent).join('\n');
