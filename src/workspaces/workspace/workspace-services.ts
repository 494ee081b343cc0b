import type { Clock } from '../../lib/clock.ts';
import type { Database, Keyring } from '../../storage/index.ts';
import { AgentPools } from '../execution/agent-pool/agent-pools.ts';
import { AgentTokens } from '../execution/agent-pool/agent-tokens.ts';
import { Agents } from '../execution/agent-pool/agents.ts';
import type { Organizations } from '../tenancy/organization/organizations.ts';
import type { Projects } from '../tenancy/project/projects.ts';
import type { Teams } from '../tenancy/team/teams.ts';
import type { Users } from '../tenancy/user/users.ts';
import { OAuthClients } from '../vcs/connection/clients.ts';
import { OAuthTokens } from '../vcs/connection/tokens.ts';
import { RemoteStateConsumers } from './consumer/consumers.ts';
import { WorkspaceDeletion } from './deletion/deletion.ts';
import { ownBelongings } from './deletion/dependents.ts';
import { WorkspacePurge } from './deletion/purge.ts';
import { WorkspaceRecovery } from './deletion/recovery.ts';
import { WorkspacePresenter } from './document/presenter.ts';
import { includeSurroundings } from './document/related.ts';
import { EngineReleases } from './engine/releases.ts';
import type { WorkspaceExtensions } from './hooks.ts';
import { WorkspaceLocks } from './lock/locks.ts';
import { SshKeyAssignment } from './ssh-key/assignment.ts';
import { SshKeys } from './ssh-key/ssh-keys.ts';
import type { WorkspaceFinder } from './workspace/finder.ts';
import type { WorkspacePlaces } from './workspace/placement.ts';
import { WorkspaceService } from './workspace/workspaces.ts';

/** Workspaces, and what they use. */
export interface WorkspaceServices {
  readonly finder: WorkspaceFinder;
  readonly workspaces: WorkspaceService;
  readonly presenter: WorkspacePresenter;
  readonly deletion: WorkspaceDeletion;
  readonly recovery: WorkspaceRecovery;
  readonly purge: WorkspacePurge;
  readonly locks: WorkspaceLocks;
  readonly consumers: RemoteStateConsumers;
  readonly sshKeys: SshKeys;
  readonly sshKeyAssignment: SshKeyAssignment;
  readonly agentPools: AgentPools;
  readonly agentTokens: AgentTokens;
  readonly agents: Agents;
  readonly oauthClients: OAuthClients;
  readonly oauthTokens: OAuthTokens;
  /** What the engine versions of workspaces stand for. */
  readonly releases: EngineReleases;
}

/** What an operator decides about workspaces. */
export interface WorkspacePolicies {
  /** Releases of the engine beyond those that are built in. */
  readonly engineVersions?: readonly string[];
  /** How long a deleted workspace can be brought back, in milliseconds; 0 for not at all. Default: a week. */
  readonly recoverableFor?: number;
}

const WEEK = 7 * 24 * 3_600_000;

/** What they stand on. */
export interface WorkspaceServicesOptions {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly organizations: Organizations;
  readonly projects: Projects;
  readonly teams: Teams;
  readonly users: Users;
  readonly finder: WorkspaceFinder;
  readonly places: WorkspacePlaces;
  readonly extensions: WorkspaceExtensions;
  readonly policies: WorkspacePolicies;
  readonly report: (error: unknown) => void;
}

export function createWorkspaceServices(options: WorkspaceServicesOptions): WorkspaceServices {
  const { database, keyring, clock, organizations, projects, finder, places, extensions, policies, report } = options;
  extensions.belongings.push(...ownBelongings(clock));

  const sshKeys = new SshKeys(database, keyring, clock, organizations);
  const agentPools = new AgentPools(database, clock, { organizations, projects, finder });
  includeSurroundings(extensions, { ...options, agentPools, sshKeys });
  const oauthClients = new OAuthClients({ database, keyring, clock, organizations, projects, agentPools });
  const oauthTokens = new OAuthTokens(database, keyring, { organizations, clients: oauthClients });
  const releases = new EngineReleases(policies.engineVersions);
  const references = { agentPools, connections: oauthTokens };
  const { recoverableFor = WEEK } = policies;
  return {
    finder,
    workspaces: new WorkspaceService({ database, clock, finder, organizations, places, references, releases }),
    presenter: new WorkspacePresenter(extensions),
    deletion: new WorkspaceDeletion({ database, clock, finder, places, extensions, recoverableFor }),
    recovery: new WorkspaceRecovery({ database, clock, organizations, places, extensions }),
    purge: new WorkspacePurge({ database, clock, extensions, report }),
    locks: new WorkspaceLocks(database, clock, finder, extensions),
    consumers: new RemoteStateConsumers(database, finder, { organizations, places }),
    sshKeys,
    sshKeyAssignment: new SshKeyAssignment(database, clock, finder, sshKeys),
    agentPools,
    agentTokens: new AgentTokens(database, keyring, clock, agentPools),
    agents: new Agents(database, clock, agentPools),
    oauthClients,
    oauthTokens,
    releases,
  };
}
