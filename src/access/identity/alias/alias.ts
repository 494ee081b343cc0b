import type { Metadata } from '../common/metadata.ts';

/** Name of an entity at one mount. Times are milliseconds since 1970. */
export interface Alias {
  readonly id: string;
  readonly entityId: string;
  readonly mountId: string;
  readonly name: string;
  /**
   * Key of the issuer that vouches for the name (`LoginIdentityRequest`). Empty: an administrator chose the name,
   * which applies to every issuer of the mount.
   */
  readonly issuer: string;
  /** Metadata of the last login, if the mount stores it. */
  readonly metadata: Metadata | null;
  /** Metadata set by an administrator. */
  readonly customMetadata: Metadata | null;
  /** Entities that the alias belonged to before merges. */
  readonly mergedFrom: readonly string[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The mount of an alias. */
export interface AliasMount {
  readonly mountAccessor: string;
  readonly mountPath: string;
  readonly mountType: string;
}

export interface MountedAlias extends Alias, AliasMount {}

/** Returns the mount fields of the API, with a path such as `auth/cert/`. */
export function mountView({ mountAccessor, mountPath, mountType }: AliasMount): Record<string, string> {
  return { mount_accessor: mountAccessor, mount_path: `auth/${mountPath}/`, mount_type: mountType };
}
