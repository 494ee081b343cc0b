import type { Connection } from '../../connection/connection.ts';
import type { Resource } from '../../connection/pages.ts';
import type { Item, Json } from '../../model/item.ts';

/** Where resources are: in an organization, and of an owner if their kind has one. */
export interface Place {
  /** Name, encoded for a path. */
  readonly organization: string;
  readonly ownerId: string;
}

/** Names of all resources by their IDs. */
export interface Names {
  /** Returns undefined for an unknown ID. */
  nameOf(kind: string, id: string): string | undefined;
}

/** IDs of all resources of the target by their names. */
export interface Ids {
  /** Returns undefined if the target has no such item. */
  idOf(kind: string, owner: string, name: string): string | undefined;
}

/** A reference from a resource to others. */
export interface LinkRule {
  readonly kind: string;
  /** Type of the related resources. */
  readonly type: string;
  readonly isMany?: true;
  /** Attribute that has the ID in a request. Default: a relationship with the name of the link. */
  readonly attribute?: string;
  /** `KindMore.write` sends it. */
  readonly isSeparate?: true;
  /** Without it the item cannot be created. */
  readonly isRequired?: true;
  /** Returns the IDs of a link that is not a relationship. */
  idsOf?(resource: Resource): readonly string[];
}

/** Parts of a kind that need requests of their own. */
export interface KindMore {
  /** Returns attributes that a list does not contain. */
  read?(connection: Connection, resource: Resource): Promise<Readonly<Record<string, Json>>>;
  /** Attributes that `write` sends. */
  readonly attributes: readonly string[];
  /** Sends the attributes and separate links that differ. */
  write(connection: Connection, id: string, changes: Changes): Promise<void>;
}

/** Attributes, and links as IDs, that differ from the target. */
export interface Changes {
  readonly attributes: Readonly<Record<string, Json>>;
  readonly links: Readonly<Record<string, readonly string[]>>;
}

/** One kind of resource: where it is, what identifies it, and what a migration takes. */
export interface Kind {
  readonly name: string;
  /** Singular, for people. */
  readonly words: string;
  readonly type: string;
  /** Kind of the owner. */
  readonly owner?: string;
  /** Returns whether an owner with these attributes has such resources. Default: all have. */
  isOwner?(attributes: Readonly<Record<string, Json>>): boolean;
  /** Path of the list. A creation uses it without its query. */
  path(place: Place): string;
  onePath(id: string, place: Place): string;
  /** Returns the name within the owner; undefined for a resource that is not taken. */
  nameOf(resource: Resource, names: Names): string | undefined;
  readonly attributes: readonly string[];
  readonly links?: Readonly<Record<string, LinkRule>>;
  /** Relationship of a creation that names the owner. */
  readonly ownerRelationship?: { readonly name: string; readonly type: string };
  /** Adapts attributes of other servers. */
  clean?(attributes: Readonly<Record<string, Json>>, resource: Resource): Readonly<Record<string, Json>>;
  readonly more?: KindMore;
  /** Whether only Lockkeeper has it. */
  readonly isOurs?: true;
  /** Whether the path is that of one resource. */
  readonly isSingle?: true;
  /** ID by which others refer to the resource. Default: its own. */
  idOf?(resource: Resource): string;
  /** Adapts attributes to a request. */
  prepare?(
    attributes: Readonly<Record<string, Json>>,
    links: Readonly<Record<string, readonly string[]>>,
  ): Readonly<Record<string, Json>>;
  /** Replaces the body of a creation. */
  body?(item: Item, links: Readonly<Record<string, readonly string[]>>): unknown;
  /** Why a migration does not create such a resource, and what to do. */
  readonly cannotCreate?: string;
  /** Whether the server cannot change such a resource, or a migration must not. */
  readonly cannotUpdate?: true;
  /** Attributes for another attempt after the server refused the first one, with the next step for the user. */
  readonly fallback?: { readonly attributes: Readonly<Record<string, Json>>; readonly nextStep: string };
}

const API = '/api/v2';

/** Path of a list of the organization. */
export const ofOrganization =
  (list: string) =>
  ({ organization }: Place): string =>
    `${API}/organizations/${organization}/${list}`;

/** Path of a list of the owner. */
export const ofOwner =
  (owners: string, list: string) =>
  ({ ownerId }: Place): string =>
    `${API}/${owners}/${ownerId}/${list}`;

/** Path of one resource. */
export const oneOf =
  (list: string) =>
  (id: string): string =>
    `${API}/${list}/${id}`;

/** Returns the text attribute that names the resources of a kind. */
export const attributeName =
  (attribute = 'name') =>
  ({ attributes }: Resource): string | undefined => {
    const value = attributes[attribute];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
