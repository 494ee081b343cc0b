import type { Metadata } from '../common/metadata.ts';

/** What an entity is called at one mount. Times in milliseconds. */
export interface Alias {
  readonly id: string;
  readonly entityId: string;
  readonly mountId: string;
  readonly name: string;
  /** Who vouches for the name (`LoginIdentityRequest`); empty for any authority of the mount, where somebody chose the name. */
  readonly issuer: string;
  /** Of the last login, where the mount keeps it. */
  readonly metadata: Metadata | null;
  /** As somebody wrote it. */
  readonly customMetadata: Metadata | null;
  /** Entities that it came from when those were merged. */
  readonly mergedFrom: readonly string[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Where an alias belongs, as it is now. */
export interface AliasMount {
  readonly mountAccessor: string;
  readonly mountPath: string;
  readonly mountType: string;
}

export interface MountedAlias extends Alias, AliasMount {}

/** `auth/cert/`, as clients read it. */
export function mountView({ mountAccessor, mountPath, mountType }: AliasMount): Record<string, string> {
  return { mount_accessor: mountAccessor, mount_path: `auth/${mountPath}/`, mount_type: mountType };
}
