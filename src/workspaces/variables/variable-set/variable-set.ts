/** Named set of variables that several workspaces share. */
export interface VariableSet {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  /** The project that owns the set; null for the organization. */
  readonly projectId: string | null;
  readonly name: string;
  readonly description: string;
  /** Whether the set applies to every workspace of the organization. */
  readonly global: boolean;
  /** Whether its values override those of narrower scopes. */
  readonly priority: boolean;
  readonly createdAt: number;
  /** Time of the last change, in milliseconds since 1970. */
  readonly updatedAt: number;
}

/** A set with its variables and links, for its document. */
export interface VariableSetView extends VariableSet {
  readonly workspaceIds: readonly string[];
  readonly projectIds: readonly string[];
  readonly variableIds: readonly string[];
  readonly canUpdate: boolean;
}

/** Attributes that can be set. */
export type SetContent = Pick<VariableSet, 'name' | 'description' | 'global' | 'priority'>;

/** Kinds of resources that a set is applied to. */
export const TARGETS = ['workspaces', 'projects'] as const;
/** One of TARGETS: a kind of resources that a set is applied to. */
export type Target = (typeof TARGETS)[number];
