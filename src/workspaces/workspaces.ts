import type { Clock } from '../lib/clock.ts';
import type { BlobStore, Database, Keyring } from '../storage/index.ts';
import { createRuns, type RunServices } from './execution/execution.ts';
import {
  createNotifications,
  type NotificationOptions,
  type NotificationServices,
} from './execution/notification/services.ts';
import { RunFinder } from './execution/run/finder.ts';
import { createStates, type States } from './state/states.ts';
import { Authentication } from './tenancy/authentication/authentication.ts';
import { Invitations } from './tenancy/login/invitations.ts';
import { Logins } from './tenancy/login/logins.ts';
import { MachineIdentities } from './tenancy/machine/identities.ts';
import type { MachineAuthenticator } from './tenancy/machine/machine.ts';
import { Admission } from './tenancy/membership/admission.ts';
import { Memberships } from './tenancy/membership/memberships.ts';
import { OrganizationChanges } from './tenancy/organization/changes.ts';
import { Founding } from './tenancy/organization/founding.ts';
import { Organizations } from './tenancy/organization/organizations.ts';
import { OrganizationRemoval } from './tenancy/organization/removal.ts';
import { ProjectBindings } from './tenancy/project/bindings.ts';
import { ProjectChanges } from './tenancy/project/changes.ts';
import { Projects } from './tenancy/project/projects.ts';
import { TeamMembers } from './tenancy/team/members.ts';
import { Teams } from './tenancy/team/teams.ts';
import { TokenIssuer } from './tenancy/token/issuer.ts';
import { OrganizationTokens } from './tenancy/token/organization-tokens.ts';
import { TeamTokens } from './tenancy/token/team-tokens.ts';
import { Tokens } from './tenancy/token/tokens.ts';
import { TtlPolicies } from './tenancy/token/ttl-policies.ts';
import { ServiceAccounts } from './tenancy/user/service-accounts.ts';
import { Users } from './tenancy/user/users.ts';
import { createVariables, type VariableServices } from './variables/variables.ts';
import { WorkspaceExtensions } from './workspace/hooks.ts';
import { createTags, type TagServices } from './workspace/organization-tag/services.ts';
import { createRetention, type RetentionServices } from './workspace/retention/services.ts';
import { ProjectGrants } from './workspace/team-access/project-grants.ts';
import { WorkspaceGrants } from './workspace/team-access/workspace-grants.ts';
import { WorkspaceFinder } from './workspace/workspace/finder.ts';
import { WorkspaceMoves } from './workspace/workspace/moves.ts';
import { WorkspacePlaces } from './workspace/workspace/placement.ts';
import {
  createWorkspaceServices,
  type WorkspacePolicies,
  type WorkspaceServices,
} from './workspace/workspace-services.ts';

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
