import type { ExecutionDefaults, ExecutionMode } from '../organization/execution-mode.ts';
import type { ProjectPermission } from '../permissions/project.ts';

/** A project, and what is needed of its organization to show it. */
export interface Project {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly name: string;
  readonly description: string | null;
  readonly workspaceCount: number;
  /** With access to this project alone; those of the whole organization are not counted. */
  readonly teamCount: number;
  /** `14d`, `6h`: what its workspaces inherit. */
  readonly autoDestroyActivityDuration: string | null;
  /** Its own, or else the organization's. */
  readonly defaultExecutionMode: ExecutionMode;
  readonly defaultAgentPoolId: string | null;
  /** Null where the organization's have effect. */
  readonly ownExecutionMode: ExecutionMode | null;
  readonly createdAt: number;
}

/** A project and what the actor may do with it. */
export interface ProjectView extends Project {
  readonly permissions: Readonly<Record<ProjectPermission, boolean>>;
}

/** What is set on a project itself. */
export interface ProjectSettings extends ExecutionDefaults {
  readonly name: string;
  readonly description: string | null;
  readonly autoDestroyActivityDuration: string | null;
}

/** What a list of projects is narrowed to; conditions add up. */
export interface ProjectFilter {
  /** Called one of these, whatever the case. */
  readonly names: readonly string[];
  /** Part of the name, whatever the case. */
  readonly query: string;
  readonly permissions: readonly ('can-update' | 'can-create-workspace')[];
  /** With a tag of that key and, unless it is empty, that value. */
  readonly tagged: readonly { readonly key: string; readonly value: string }[];
  readonly sort: 'default-first' | 'newest' | 'name' | '-name';
}
