/** Somebody or something that logs in, however often and by whatever mount. Times in milliseconds. */
export interface Entity {
  /** A UUID. */
  readonly id: string;
  readonly name: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Cannot log in. */
  readonly disabled: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What an entity is called at one mount. */
export interface Alias {
  readonly id: string;
  readonly entityId: string;
  readonly mountId: string;
  readonly name: string;
  /** Of the last login, where the mount keeps it. */
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** An alias and the mount that it belongs to, as it is now. */
export interface MountedAlias extends Alias {
  readonly mountAccessor: string;
  readonly mountPath: string;
  readonly mountType: string;
}

export interface EntityWithAliases extends Entity {
  readonly aliases: readonly MountedAlias[];
}
