import type { Clock } from '../lib/clock.ts';
import type { Database, Keyring } from '../storage/index.ts';
import { Authentication } from './authentication/authentication.ts';
import { MachineIdentities } from './machine/identities.ts';
import type { MachineAuthenticator } from './machine/machine.ts';
import { Founding } from './organization/founding.ts';
import { Organizations } from './organization/organizations.ts';
import { Projects } from './project/projects.ts';
import { Teams } from './team/teams.ts';
import { Tokens } from './token/tokens.ts';
import { Users } from './user/users.ts';
import { WorkspaceDeletion } from './workspace/deletion.ts';
import { WorkspaceFinder } from './workspace/finder.ts';
import { WorkspaceLocks } from './workspace/locks.ts';
import { WorkspacePlaces } from './workspace/places.ts';
import { WorkspaceService } from './workspace/service.ts';
import { WorkspaceTags } from './workspace/tags.ts';

/** What the workspace API stands on. */
export interface WorkspacesOptions {
  /** With `workspacesMigrations` applied. */
  readonly database: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** Without one, only users get in. */
  readonly machines?: MachineAuthenticator;
  /** Told of what fails beside any request. */
  readonly report: (error: unknown) => void;
}

/** The domain services of the workspace API, each of which asks first who wants something. */
export interface Workspaces {
  readonly database: Database;
  readonly authentication: Authentication;
  readonly users: Users;
  readonly tokens: Tokens;
  readonly organizations: Organizations;
  readonly founding: Founding;
  readonly projects: Projects;
  readonly teams: Teams;
  readonly identities: MachineIdentities;
  readonly workspaces: WorkspaceService;
  readonly deletion: WorkspaceDeletion;
  readonly locks: WorkspaceLocks;
  readonly tags: WorkspaceTags;
}

/** Puts the domains together. Opens nothing: the database is the caller's, and stays so. */
export function createWorkspaces({ database, keyring, clock, machines, report }: WorkspacesOptions): Workspaces {
  const organizations = new Organizations(database);
  const projects = new Projects(database, clock, organizations);
  const teams = new Teams(database, clock, organizations);
  const identities = new MachineIdentities(database, clock, teams);
  const finder = new WorkspaceFinder(database);
  const places = new WorkspacePlaces(organizations, projects);
  return {
    database,
    authentication: new Authentication({ database, keyring, clock, identities, machines, report }),
    users: new Users(database, clock),
    tokens: new Tokens(database, keyring, clock),
    organizations,
    founding: new Founding(database, clock, organizations, projects, teams),
    projects,
    teams,
    identities,
    workspaces: new WorkspaceService({ database, clock, finder, organizations, places }),
    deletion: new WorkspaceDeletion(database, finder, places),
    locks: new WorkspaceLocks(database, finder),
    tags: new WorkspaceTags(database, clock, finder),
  };
}
