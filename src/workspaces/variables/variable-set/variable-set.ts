/** Variables under one name that several workspaces share. */
export interface VariableSet {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  /** The project that owns it; null for the organization. */
  readonly projectId: string | null;
  readonly name: string;
  readonly description: string;
  /** Whether it applies to every workspace of the organization. */
  readonly global: boolean;
  /** Whether its values win over those of a narrower scope. */
  readonly priority: boolean;
  readonly createdAt: number;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

/** A set with what belongs to it, as it is shown. */
export interface VariableSetView extends VariableSet {
  readonly workspaceIds: readonly string[];
  readonly projectIds: readonly string[];
  readonly variableIds: readonly string[];
  readonly canUpdate: boolean;
}

/** What can be set on a set itself. */
export type SetContent = Pick<VariableSet, 'name' | 'description' | 'global' | 'priority'>;

/** What a set is applied to, apart from everything. */
export const TARGETS = ['workspaces', 'projects'] as const;
/** One of TARGETS. */
export type Target = (typeof TARGETS)[number];
