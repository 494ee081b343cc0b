import type { Issue } from '../../../lib/errors.ts';
import { unprocessable } from '../../jsonapi/errors.ts';
import {
  CUSTOM_ACCESS,
  CUSTOM_ACCESS_IN_PROJECT,
  CUSTOM_PROJECT_ACCESS,
  type CustomAccess,
  type CustomAccessInProject,
  type CustomProjectAccess,
  projectAccessOf,
  type StoredAccess,
  type StoredProjectAccess,
  showsWorkspace,
  type TEAM_PROJECT_LEVELS,
  type TEAM_WORKSPACE_LEVELS,
  workspaceAccessOf,
} from '../../tenancy/index.ts';

/** Input of a client: null means the default, and an absent member stays. */
type Given<Details> = { readonly [Key in keyof Details]?: Details[Key] | null | undefined };

/** Input for a team's access to a workspace. */
export interface WorkspaceGrantInput {
  readonly access?: (typeof TEAM_WORKSPACE_LEVELS)[number] | undefined;
  readonly details: Given<CustomAccess>;
}

/** Input for a team's access to a project. */
export interface ProjectGrantInput {
  readonly access?: (typeof TEAM_PROJECT_LEVELS)[number] | undefined;
  readonly project: Given<CustomProjectAccess>;
  readonly workspaces: Given<CustomAccessInProject>;
}

/** 1 if the grant makes its workspaces visible. Access to outputs only does not. */
interface Shows {
  readonly shows: number;
  /** Access to the runs of the workspaces. */
  readonly runs: string;
}

/** Access to the project that queries check. */
interface ShowsProject {
  readonly projectSettings: string;
  readonly variableSets: string;
  readonly creates: number;
}

/** Returns the permissions of a grant, in the terms of the level `custom`. */
export function workspaceDetails(stored: StoredAccess): CustomAccess {
  return pick(workspaceAccessOf(stored), CUSTOM_ACCESS);
}

/** Returns the permissions of a grant in the project itself, in the terms of the level `custom`. */
export function projectDetails(stored: StoredProjectAccess): CustomProjectAccess {
  return pick(projectAccessOf(stored), CUSTOM_PROJECT_ACCESS);
}

/** Returns the permissions of a grant in the workspaces of the project, in the terms of the level `custom`. */
export function detailsInProject(stored: StoredProjectAccess): CustomAccessInProject {
  const { create } = projectAccessOf(stored);
  return pick({ ...workspaceAccessOf(stored), create }, CUSTOM_ACCESS_IN_PROJECT);
}

/**
 * Returns a workspace grant to store. A fixed level has no single permissions; `custom` starts with the former ones.
 * @throws 422 for single permissions of a fixed level
 */
export function nextWorkspaceGrant(
  current: StoredAccess | undefined,
  { access: level, details }: WorkspaceGrantInput,
): StoredAccess & Shows {
  const access = level ?? current?.access ?? 'custom';
  if (access !== 'custom') return fixed(access, readOnly(access, details, CUSTOM_ACCESS, WIRE));
  const before = current ? workspaceDetails(current) : CUSTOM_ACCESS;
  return shown({ access, custom: JSON.stringify(apply<CustomAccess>(before, details, CUSTOM_ACCESS)) });
}

/** Returns a project grant to store, with the same rules. */
export function nextProjectGrant(
  current: StoredProjectAccess | undefined,
  { access: level, project, workspaces }: ProjectGrantInput,
): StoredProjectAccess & Shows & ShowsProject {
  const access = level ?? current?.access ?? 'custom';
  if (access !== 'custom') {
    const issues = [
      ...readOnly(access, project, CUSTOM_PROJECT_ACCESS, (key) => `project-access/${key}`),
      ...readOnly(access, workspaces, CUSTOM_ACCESS_IN_PROJECT, (key) => `workspace-access/${key}`),
    ];
    return withProject({ ...fixed(access, issues), projectCustom: '{}' });
  }
  const before = current ? projectDetails(current) : CUSTOM_PROJECT_ACCESS;
  const within = current ? detailsInProject(current) : CUSTOM_ACCESS_IN_PROJECT;
  const projectCustom = JSON.stringify(apply<CustomProjectAccess>(before, project, CUSTOM_PROJECT_ACCESS));
  const custom = JSON.stringify(apply<CustomAccessInProject>(within, workspaces, CUSTOM_ACCESS_IN_PROJECT));
  return withProject({ ...shown({ access, custom }), projectCustom });
}

function shown(stored: StoredAccess): StoredAccess & Shows {
  const given = workspaceAccessOf(stored);
  return { ...stored, shows: Number(showsWorkspace(given)), runs: given.runs };
}

function fixed(access: string, issues: readonly Issue[]): StoredAccess & Shows {
  if (issues.length > 0) throw unprocessable(issues);
  return shown({ access, custom: '{}' });
}

/** Adds the permissions for the project that queries check. */
function withProject<G extends StoredProjectAccess>(grant: G): G & ShowsProject {
  const { settings, create, 'variable-sets': variableSets } = projectAccessOf(grant);
  return { ...grant, projectSettings: settings, variableSets, creates: Number(create) };
}

/** Removes permissions that the level does not have. */
function pick<D extends object>(from: D, known: { readonly [Key in keyof D]?: unknown }): D {
  const keys = Object.keys(known) as (keyof D)[];
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as D;
}

function apply<D extends object>(before: D, given: Given<D>, defaults: D): D {
  const keys = Object.keys(defaults) as (keyof D)[];
  const next = (key: keyof D) => (given[key] === undefined ? before[key] : (given[key] ?? defaults[key]));
  return Object.fromEntries(keys.map((key) => [key, next(key)])) as D;
}

/** The only permission of a workspace whose name in the API differs from its name in the code. */
const WIRE = (key: string) => (key === 'locking' ? 'workspace-locking' : key);

/** Text of HCP Terraform, which official clients match on. */
function readOnly(access: string, given: object, known: object, nameOf: (key: string) => string): Issue[] {
  const named = Object.entries(given).filter(([key, value]) => key in known && value !== undefined && value !== null);
  return named.map(([key]) => {
    const name = nameOf(key);
    const word = name.slice(name.indexOf('/') + 1).replaceAll('-', ' ');
    const label = word.charAt(0).toUpperCase() + word.slice(1);
    return {
      detail: `${label} is read-only when access level is '${access}'; use the 'custom' access level to set this attribute.`,
      pointer: `/data/attributes/${name}`,
    };
  });
}
