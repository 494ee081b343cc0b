/** JSON value. */
export type Json = unknown;

/**
 * One thing of an organization or of the access API, without IDs: its name within its owner, its settings, and the names
 * of other things that it uses. Sources, targets and files have the same form, so that they can be compared.
 */
export interface Item {
  /** Kind such as `workspaces`. */
  readonly kind: string;
  /** Name of the owner, of the kind that the item's kind declares. Empty without an owner. */
  readonly owner: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, Json>>;
  /** Names of items by the name of the link. */
  readonly links: Readonly<Record<string, readonly string[]>>;
}

/** Something that a source has and that is not taken, with the reason and the next step. */
export interface Note {
  /** The thing in words: `workspace network`. */
  readonly about: string;
  readonly why: string;
}

/** A secret that no API returns. */
export interface MissingSecret {
  /** `workspaces`, `varsets` or another kind that owns it. */
  readonly ownerKind: string;
  readonly owner: string;
  readonly name: string;
  /** `terraform` or `env` for variables. */
  readonly category: string;
}

/** Text that identifies an item among all others. */
export const keyOf = ({ kind, owner, name }: Pick<Item, 'kind' | 'owner' | 'name'>): string =>
  JSON.stringify([kind, owner, name]);
