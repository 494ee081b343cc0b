import type { Clock } from '../../lib/clock.ts';
import { type BlobStore, Blobs, type Database, type Keyring } from '../../storage/index.ts';
import type { Organizations } from '../tenancy/organization/organizations.ts';
import type { Users } from '../tenancy/user/users.ts';
import type { AppliedVariables } from '../variables/variable-set/applied-variables.ts';
import type { WorkspacePresenter } from '../workspace/document/presenter.ts';
import type { EngineReleases } from '../workspace/engine/releases.ts';
import type { WorkspaceExtensions } from '../workspace/hooks.ts';
import type { RetainedStore } from '../workspace/retention/sweep.ts';
import type { WorkspaceFinder } from '../workspace/workspace/finder.ts';
import type { Agents } from './agent-pool/agents.ts';
import { autoQueue } from './configuration-version/auto-queue.ts';
import { ConfigurationVersions } from './configuration-version/configuration-versions.ts';
import { ConfigurationUploads } from './configuration-version/uploads.ts';
import { UsableConfigurations } from './configuration-version/usable.ts';
import { RunClaims } from './job/claims.ts';
import { RunVariables } from './job/run-variables.ts';
import { retainedConfigurations, retainedRuns } from './retained.ts';
import { RunActions } from './run/actions.ts';
import { RunComments } from './run/comments.ts';
import { RunFinder } from './run/finder.ts';
import { RunPhases } from './run/phases.ts';
import { RunPresenter } from './run/presenter.ts';
import { type RunLocks, RunProgress } from './run/progress.ts';
import { Runs } from './run/runs.ts';
import { RunStart } from './run/start.ts';
import * as store from './run/store.ts';
import { fireTriggers } from './run-trigger/fire.ts';
import { RunTriggers } from './run-trigger/run-triggers.ts';
import { extendWorkspaces } from './workspace-parts.ts';

/** What runs stand on. */
export interface RunServicesOptions {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly blobStore: BlobStore;
  readonly organizations: Organizations;
  readonly users: Users;
  readonly finder: WorkspaceFinder;
  readonly presenter: WorkspacePresenter;
  readonly locks: RunLocks;
  readonly agents: Agents;
  readonly appliedVariables: AppliedVariables;
  readonly extensions: WorkspaceExtensions;
  readonly releases: EngineReleases;
  /** What policies let go of. */
  readonly retained: RetainedStore[];
  readonly report: (error: unknown) => void;
}

/** Configurations, their runs, and what starts runs. */
export interface RunServices {
  readonly clock: Clock;
  readonly runs: Runs;
  readonly runActions: RunActions;
  readonly runClaims: RunClaims;
  readonly runComments: RunComments;
  readonly runPhases: RunPhases;
  readonly runPresenter: RunPresenter;
  readonly runProgress: RunProgress;
  readonly runTriggers: RunTriggers;
  readonly runVariables: RunVariables;
  readonly configurationVersions: ConfigurationVersions;
  readonly configurationUploads: ConfigurationUploads;
}

/** Puts them together. */
export function createRuns(options: RunServicesOptions): RunServices {
  const { database, keyring, clock, organizations, users, finder: workspaces, locks, report } = options;
  const blobs = new Blobs(options.blobStore, keyring);
  const finder = new RunFinder(database, workspaces);
  const runProgress = new RunProgress(locks);
  const start = new RunStart(keyring, runProgress, options.releases);
  const configurations = new UsableConfigurations(database);
  const configurationVersions = new ConfigurationVersions({
    database,
    clock,
    blobs,
    workspaces,
    isInUse: store.isInUse,
    report,
  });
  const configurationUploads = new ConfigurationUploads({
    ...{ database, keyring, clock, blobs, workspaces },
    runs: {
      hasRuns: async (id) => (await store.firstOf(database, id)) !== undefined,
      start: autoQueue(database, clock, start),
    },
    report,
  });
  const runTriggers = new RunTriggers(database, clock, workspaces);
  runProgress.applied.push(fireTriggers(runTriggers, configurations, start));
  const runComments = new RunComments(database, clock, finder);
  const runPhases = new RunPhases(database, keyring, clock, finder);
  const runPresenter = new RunPresenter({
    clock,
    phases: runPhases,
    comments: runComments,
    start,
    users,
    workspaces: options.presenter,
    configurations: configurationVersions,
  });
  extendWorkspaces(options.extensions, {
    database,
    clock,
    presenter: runPresenter,
    progress: runProgress,
    configurations: configurationVersions,
  });
  options.retained.push(retainedRuns(database), retainedConfigurations(database, configurationVersions));
  return {
    clock,
    runs: new Runs({ database, clock, organizations, workspaces, finder, configurations, start }),
    runActions: new RunActions({ database, clock, finder, progress: runProgress }),
    runClaims: new RunClaims({
      ...{ database, clock, agents: options.agents, finder, phases: runPhases, progress: runProgress, report },
    }),
    runComments,
    runPhases,
    runPresenter,
    runProgress,
    runTriggers,
    runVariables: new RunVariables(finder, start, options.appliedVariables),
    configurationVersions,
    configurationUploads,
  };
}
