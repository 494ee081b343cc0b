import type { ExecutionDefaults, ExecutionMode } from '../organization/execution-mode.ts';
import type { ProjectPermission } from '../permissions/project.ts';

/** Project with the fields of its organization that are shown with it. */
export interface Project {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly name: string;
  readonly description: string | null;
  readonly workspaceCount: number;
  /** Teams with access to this project. Teams with access to the whole organization are not counted. */
  readonly teamCount: number;
  /** `14d`, `6h`: default for its workspaces. */
  readonly autoDestroyActivityDuration: string | null;
  /** The project's own mode, else the organization's. */
  readonly defaultExecutionMode: ExecutionMode;
  readonly defaultAgentPoolId: string | null;
  /** The project's own mode; null if it inherits the mode. */
  readonly ownExecutionMode: ExecutionMode | null;
  readonly createdAt: number;
}

/** Project with the actor's permissions on it. */
export interface ProjectView extends Project {
  readonly permissions: Readonly<Record<ProjectPermission, boolean>>;
}

/** Settings of a project. */
export interface ProjectSettings extends ExecutionDefaults {
  readonly name: string;
  readonly description: string | null;
  readonly autoDestroyActivityDuration: string | null;
}

/** Filter for projects. All conditions must be true. */
export interface ProjectFilter {
  /** Exact names, in any case. */
  readonly names: readonly string[];
  /** Part of the name, in any case. */
  readonly query: string;
  readonly permissions: readonly ('can-update' | 'can-create-workspace')[];
  /** Tags with this key and, unless it is empty, this value. */
  readonly tagged: readonly { readonly key: string; readonly value: string }[];
  readonly sort: 'default-first' | 'newest' | 'name' | '-name';
}
