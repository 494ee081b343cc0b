import type { Clock } from '../lib/clock.ts';
import type { BlobStore, Database, Keyring } from '../storage/index.ts';
import { Authentication } from './authentication/authentication.ts';
import { Invitations } from './login/invitations.ts';
import { Logins } from './login/logins.ts';
import { MachineIdentities } from './machine/identities.ts';
import type { MachineAuthenticator } from './machine/machine.ts';
import { Admission } from './membership/admission.ts';
import { Memberships } from './membership/memberships.ts';
import { createNotifications, type NotificationOptions, type NotificationServices } from './notification/services.ts';
import { OrganizationChanges } from './organization/changes.ts';
import { Founding } from './organization/founding.ts';
import { Organizations } from './organization/organizations.ts';
import { OrganizationRemoval } from './organization/removal.ts';
import { ProjectBindings } from './project/bindings.ts';
import { ProjectChanges } from './project/changes.ts';
import { Projects } from './project/projects.ts';
import { createRetention, type RetentionServices } from './retention/services.ts';
import { RunFinder } from './run/finder.ts';
import { createRuns, type RunServices } from './run/services.ts';
import { createStates, type States } from './state/services.ts';
import { createTags, type TagServices } from './tag/services.ts';
import { TeamMembers } from './team/members.ts';
import { Teams } from './team/teams.ts';
import { ProjectGrants } from './team-access/project-grants.ts';
import { WorkspaceGrants } from './team-access/workspace-grants.ts';
import { TokenIssuer } from './token/issuer.ts';
import { OrganizationTokens } from './token/organization-tokens.ts';
import { TeamTokens } from './token/team-tokens.ts';
import { Tokens } from './token/tokens.ts';
import { TtlPolicies } from './token/ttl-policies.ts';
import { ServiceAccounts } from './user/service-accounts.ts';
import { Users } from './user/users.ts';
import { createVariables, type VariableServices } from './variable-set/services.ts';
import { WorkspaceExtensions } from './workspace/extensions.ts';
import { WorkspaceFinder } from './workspace/finder.ts';
import { WorkspaceMoves } from './workspace/moves.ts';
import { WorkspacePlaces } from './workspace/places.ts';
import { createWorkspaceServices, type WorkspacePolicies, type WorkspaceServices } from './workspace/services.ts';

/** What the workspace API stands on. */
export interface WorkspacesOptions {
  /** With `workspacesMigrations` applied. */
  readonly database: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** Where states lie. */
  readonly blobStore: BlobStore;
  /** Seconds between the snapshots of a state that command lines send while they apply; 0, or none: they send none. */
  readonly snapshotInterval?: number;
  /** Without one, only users get in. */
  readonly machines?: MachineAuthenticator;
  readonly policies?: WorkspacePolicies;
  readonly notifications?: NotificationOptions;
  /** Told of what fails beside any request. */
  readonly report: (error: unknown) => void;
}

/** The domain services of the workspace API, each of which asks first who wants something. */
export interface Workspaces
  extends RunServices,
    NotificationServices,
    WorkspaceServices,
    TagServices,
    VariableServices,
    RetentionServices {
  readonly database: Database;
  readonly authentication: Authentication;
  readonly users: Users;
  readonly memberships: Memberships;
  readonly tokens: Tokens;
  readonly logins: Logins;
  readonly invitations: Invitations;
  readonly teamTokens: TeamTokens;
  readonly organizationTokens: OrganizationTokens;
  readonly ttlPolicies: TtlPolicies;
  readonly organizations: Organizations;
  readonly founding: Founding;
  readonly organizationChanges: OrganizationChanges;
  readonly organizationRemoval: OrganizationRemoval;
  readonly projects: Projects;
  readonly projectChanges: ProjectChanges;
  readonly projectBindings: ProjectBindings;
  readonly moves: WorkspaceMoves;
  readonly teams: Teams;
  readonly teamMembers: TeamMembers;
  readonly workspaceGrants: WorkspaceGrants;
  readonly projectGrants: ProjectGrants;
  readonly identities: MachineIdentities;
  readonly states: States;
}

/** Puts the domains together. Opens nothing: the database is the caller's, and stays so. */
export function createWorkspaces(options: WorkspacesOptions): Workspaces {
  const { database, keyring, clock, machines, policies = {}, report } = options;
  const admission = new Admission(clock);
  const users = new Users(database, clock, admission);
  const serviceAccounts = new ServiceAccounts(clock);
  const organizations = new Organizations(database, serviceAccounts);
  const projects = new Projects(database, organizations);
  const teams = new Teams(database, clock, organizations);
  const identities = new MachineIdentities(database, clock, teams);
  const finder = new WorkspaceFinder(database);
  const places = new WorkspacePlaces(organizations, projects);
  const issuer = new TokenIssuer(keyring, clock);
  const tokens = new Tokens({ database, keyring, clock, issuer, organizations, teams });
  const ttlPolicies = new TtlPolicies(database, clock, organizations);
  const projectBindings = new ProjectBindings(database, clock, projects);
  const extensions = new WorkspaceExtensions();
  const parts = { database, keyring, clock, organizations, projects, teams, users, finder, places, extensions };
  const workspaceServices = createWorkspaceServices({ ...parts, policies, report });
  const { agentPools, agentTokens } = workspaceServices;
  const authentication = new Authentication({
    ...{ database, keyring, clock, identities, machines, report },
    agents: agentTokens,
  });
  const projectChanges = new ProjectChanges({ database, clock, organizations, projects, agentPools });
  const retention = createRetention({ database, clock, organizations, finder, extensions, report });
  const { stores: retained } = retention.retentionSweep;
  const { blobStore, snapshotInterval = 0 } = options;
  const states = createStates({
    ...{ ...parts, blobStore, retained, snapshotInterval, report },
    runs: new RunFinder(database, finder),
  });
  const variables = createVariables({ database, keyring, clock, organizations, projects, finder, extensions });
  const { agents, locks, presenter, releases } = workspaceServices;
  const { appliedVariables } = variables;
  const runServices = createRuns({
    ...{ ...parts, blobStore, retained, locks, presenter },
    ...{ agents, appliedVariables, releases, report },
  });
  const { runProgress } = runServices;
  const notifications = createNotifications({ ...parts, ...options.notifications, runProgress, report });
  const memberships = new Memberships({ database, organizations, teams, users, admission });
  return {
    database,
    authentication,
    users,
    memberships,
    tokens,
    logins: new Logins({ database, keyring, clock, authentication, tokens }),
    invitations: new Invitations({ keyring, clock, authentication, memberships }),
    teamTokens: new TeamTokens({ database, clock, issuer, organizations, teams, ttlPolicies }),
    organizationTokens: new OrganizationTokens({ database, clock, issuer, organizations, ttlPolicies }),
    ttlPolicies,
    organizations,
    founding: new Founding({ database, clock, organizations, projects: projectChanges, teams, admission, users }),
    organizationChanges: new OrganizationChanges({ database, organizations, agentPools, serviceAccounts, ttlPolicies }),
    organizationRemoval: new OrganizationRemoval({
      ...{ database, clock, organizations, report },
      remains: extensions.belongings,
    }),
    projects,
    projectChanges,
    projectBindings,
    moves: new WorkspaceMoves(database, clock, finder, { projects, places }),
    teams,
    teamMembers: new TeamMembers(database, teams),
    workspaceGrants: new WorkspaceGrants(database, clock, finder, teams),
    projectGrants: new ProjectGrants(database, clock, projects, teams),
    identities,
    ...workspaceServices,
    ...createTags({ database, clock, organizations, projectBindings, finder, extensions }),
    ...variables,
    ...retention,
    ...runServices,
    ...notifications,
    states,
  };
}
