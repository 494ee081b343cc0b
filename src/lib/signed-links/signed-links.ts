import type { Clock } from '../clock.ts';

/** A text with the prefix of the server's own tokens is hashed in every log. */
const PREFIX = 'lkl.';
/**
 * Maximum length of the holder of a link: the link must still fit into one segment of a path.
 * @limit holder of a signed link, characters -> the link is invalid
 */
const MAX_HOLDER = 800;
// 43 characters of base64url hold two bits more than the 32 bytes. Only texts in which these bits are zero are
// accepted.
const TEXT = new RegExp(
  `^lkl\\.([A-Za-z0-9-]{1,64})\\.([A-Za-z0-9_~-]{1,${MAX_HOLDER}})\\.([0-9a-z]{1,12})\\.([A-Za-z0-9_-]{42}[AEIMQUYcgkosw048])$`,
);

/** Properties of the links of one kind. */
export interface LinkKind {
  /** Name of the kind: a link of one kind is invalid for another. */
  readonly purpose: string;
  /** Returns the path of the URL, with the text of the link in it. */
  path(id: string, link: string): string;
  /** Lifetime, and the step to which the expiry is rounded: within a step a link stays the same. */
  readonly life: LinkLife;
}

/** Lifetime of links. */
export interface LinkLife {
  /** Lifetime in milliseconds. */
  readonly life: number;
  /** Step in milliseconds. */
  readonly step: number;
}

/** Keyed hashes, with a key for each purpose. */
export interface LinkKeyring {
  hash(text: string, purpose: string): Uint8Array;
  matches(text: string, purpose: string, hash: Uint8Array): boolean;
}

/** Content of a link. */
export interface Link {
  /** Id of the resource. Its owner never changes, so the id also identifies the workspace. */
  readonly id: string;
  /** Credential of the actor that the link was made for. */
  readonly holder: string;
}

/**
 * Signs and verifies links that give access to one resource without a token: clients transfer states, archives and
 * logs with nothing else. A link names an actor, and each use checks the actor's current permissions. The text
 * contains the id, the holder, the expiry and a keyed hash (MAC) of all three.
 */
export class SignedLinks {
  readonly #keyring: LinkKeyring;
  readonly #clock: Clock;
  readonly #kind: LinkKind;
  readonly #purpose: string;

  /** Creates the signer for one kind of links. */
  constructor(keyring: LinkKeyring, clock: Clock, kind: LinkKind) {
    this.#keyring = keyring;
    this.#clock = clock;
    this.#kind = kind;
    this.#purpose = `link ${kind.purpose}`;
  }

  /**
   * Returns the URL of a new link.
   * @param origin scheme, host and port under which the client reached the server
   */
  url(origin: string, link: Link): string {
    return new URL(this.#kind.path(link.id, this.sign(link)), origin).href;
  }

  sign({ id, holder }: Link): string {
    const { life, step } = this.#kind.life;
    const expires = (Math.ceil((this.#clock() + life) / step) * step).toString(36);
    const said = `${id}.${holder}.${expires}`;
    return `${PREFIX}${said}.${Buffer.from(this.#keyring.hash(said, this.#purpose)).toString('base64url')}`;
  }

  /** Verifies a link. Returns undefined if it was not signed here or has expired. */
  open(text: string): Link | undefined {
    const [, id = '', holder = '', expires = '', signature = ''] = TEXT.exec(text) ?? [];
    if (id === '' || Number.parseInt(expires, 36) <= this.#clock()) return undefined;
    const hash = Buffer.from(signature, 'base64url');
    return this.#keyring.matches(`${id}.${holder}.${expires}`, this.#purpose, hash) ? { id, holder } : undefined;
  }
}
