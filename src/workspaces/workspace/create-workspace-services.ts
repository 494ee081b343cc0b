import type { BackgroundWork } from '../../lib/background/background-work.ts';
import type { Platform } from '../platform/platform.ts';
import type { Tenancy } from '../tenancy/index.ts';
import { RemoteStateConsumers } from './consumer/consumers.ts';
import { WorkspaceDeletion } from './deletion/deletion.ts';
import { ownDependents } from './deletion/dependents.ts';
import { WorkspacePurge } from './deletion/purge.ts';
import { WorkspaceRecovery } from './deletion/recovery.ts';
import { WorkspacePresenter } from './document/presenter.ts';
import { includedRelated } from './document/related.ts';
import { EngineReleases } from './engine/releases.ts';
import { WorkspaceExplanation } from './explanation/workspace-explanation.ts';
import { WorkspaceHooks } from './hooks/hooks.ts';
import { WorkspaceLocks } from './lock/locks.ts';
import { WorkspaceMoves } from './management/moves.ts';
import { SshKeyAssignment } from './management/ssh-key-assignment.ts';
import { WorkspaceService } from './management/workspace-service.ts';
import { WorkspaceFinder } from './model/finder.ts';
import { WorkspacePlacement } from './model/placement.ts';
import { retentionParts } from './retention/document.ts';
import { RetentionPolicies } from './retention/policies.ts';
import { RetentionSweep } from './retention/sweep.ts';
import { includedKeys } from './ssh-key/include.ts';
import { SshKeys } from './ssh-key/ssh-keys.ts';
import { EffectiveBindings } from './tag/effective-bindings.ts';
import { includedBindings } from './tag/included-bindings.ts';
import { OrganizationTags } from './tag/organization-tags.ts';
import { ReservedTagKeys } from './tag/reserved-keys.ts';
import { WorkspaceTags } from './tag/tags.ts';
import { ProjectGrants } from './team-access/project-grants.ts';
import { WorkspaceGrants } from './team-access/workspace-grants.ts';

/** Services of workspaces and their settings. */
export interface WorkspaceServices {
  readonly hooks: WorkspaceHooks;
  readonly finder: WorkspaceFinder;
  readonly workspaces: WorkspaceService;
  readonly presenter: WorkspacePresenter;
  readonly moves: WorkspaceMoves;
  readonly deletion: WorkspaceDeletion;
  readonly recovery: WorkspaceRecovery;
  readonly purge: WorkspacePurge;
  readonly locks: WorkspaceLocks;
  readonly consumers: RemoteStateConsumers;
  readonly sshKeys: SshKeys;
  readonly sshKeyAssignment: SshKeyAssignment;
  readonly workspaceGrants: WorkspaceGrants;
  readonly projectGrants: ProjectGrants;
  readonly explanation: WorkspaceExplanation;
  readonly tags: WorkspaceTags;
  readonly organizationTags: OrganizationTags;
  readonly reservedTagKeys: ReservedTagKeys;
  readonly retentionPolicies: RetentionPolicies;
  readonly retentionSweep: RetentionSweep;
  /** Releases to which engine versions of workspaces resolve. */
  readonly releases: EngineReleases;
  readonly background: readonly BackgroundWork[];
}

/** Operator settings of workspaces. */
export interface WorkspacePolicies {
  /** Releases of the engines in addition to the built-in ones. */
  readonly engineVersions?: readonly string[];
  /** Restore period of a deleted workspace, in milliseconds; 0 disables restoring. Default: one week. */
  readonly recoverableFor?: number;
  /**
   * Whether all workspaces of the organization may read the state of a new workspace that does not set this. Default:
   * false.
   */
  readonly globalRemoteState?: boolean;
}

const WEEK = 7 * 24 * 3_600_000;

export function createWorkspaceServices(
  platform: Platform,
  tenancy: Tenancy,
  { engineVersions, recoverableFor = WEEK, globalRemoteState = false }: WorkspacePolicies,
): WorkspaceServices {
  const { database, keyring, clock, report } = platform;
  const { organizations, projects, teams } = tenancy;
  const hooks = new WorkspaceHooks();
  tenancy.hooks.extend({ workspaceCleanups: hooks.dependents });

  const finder = new WorkspaceFinder(database);
  const placement = new WorkspacePlacement(organizations, projects, (projectId) => hooks.restrictsMoves(projectId));
  const releases = new EngineReleases(engineVersions);
  const sshKeys = new SshKeys(database, keyring, clock, organizations);
  const reservedTagKeys = new ReservedTagKeys(database, clock, organizations);
  const effective = new EffectiveBindings(database, tenancy.projectBindings, reservedTagKeys);
  const retentionPolicies = new RetentionPolicies(database, clock, organizations, finder);
  hooks.extend({
    dependents: ownDependents(clock),
    documents: [retentionParts(retentionPolicies)],
    includes: {
      ...includedRelated(tenancy),
      ssh_key: includedKeys(sshKeys),
      effective_tag_bindings: includedBindings(effective),
    },
  });
  const purge = new WorkspacePurge({ database, clock, hooks, report });
  const retentionSweep = new RetentionSweep({ database, clock, hooks, report });
  return {
    hooks,
    finder,
    workspaces: new WorkspaceService({
      ...{ database, clock, finder, organizations, teams, placement, hooks, releases },
      globalRemoteState,
    }),
    presenter: new WorkspacePresenter(database, hooks),
    moves: new WorkspaceMoves(database, clock, finder, { projects, placement, hooks }),
    deletion: new WorkspaceDeletion({ database, clock, finder, placement, hooks, recoverableFor }),
    recovery: new WorkspaceRecovery({ database, clock, organizations, placement, hooks }),
    purge,
    locks: new WorkspaceLocks(database, clock, finder, hooks),
    consumers: new RemoteStateConsumers(database, finder, { organizations, placement }),
    sshKeys,
    sshKeyAssignment: new SshKeyAssignment(database, clock, finder, sshKeys),
    workspaceGrants: new WorkspaceGrants(database, clock, finder, teams),
    projectGrants: new ProjectGrants(database, clock, projects, teams),
    explanation: new WorkspaceExplanation(database, finder, tenancy.subjects),
    tags: new WorkspaceTags(database, clock, finder, effective),
    organizationTags: new OrganizationTags(database, organizations),
    reservedTagKeys,
    retentionPolicies,
    retentionSweep,
    releases,
    background: [purge.background, retentionSweep.background],
  };
}
