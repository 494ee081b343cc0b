import type { OpenVariable } from '../../variables/index.ts';
import type { RunEngine } from '../lifecycle/engine.ts';
import type { PhaseKind } from '../lifecycle/phase.ts';
import type { JobIdentity } from '../workload-identity/job-identity.ts';

/** A plan or an apply as an agent gets it: all inputs at one moment, including secrets. */
export interface Job {
  /** Id of the plan or the apply. */
  readonly id: string;
  readonly phase: PhaseKind;
  readonly runId: string;
  /** Id of the run's plan, which stores what the plan hands over to the apply. */
  readonly planId: string;
  /** Token for this job only. */
  readonly token: string;
  /**
   * Token for the engine, which reads states with it: the state of its workspace, and of workspaces that share
   * theirs. Null for a run of a stranger's configuration.
   */
  readonly engineToken: string | null;
  /** Public URL of this server for configurations (`workspaces.address`); null if the operator has not set it. */
  readonly serverAddress: string | null;
  readonly organization: string;
  readonly project: string;
  readonly workspace: { readonly id: string; readonly name: string; readonly workingDirectory: string };
  readonly engine: RunEngine;
  readonly log: 'structured' | 'plain';
  readonly parameters: {
    readonly destroy: boolean;
    readonly refresh: boolean;
    readonly refreshOnly: boolean;
    readonly targets: readonly string[];
    readonly replaces: readonly string[];
    /** Actions that the plan invokes. */
    readonly invokes: readonly string[];
    readonly generateConfiguration: boolean;
  };
  /** Variables of the run. Each key occurs once. */
  readonly variables: readonly OpenVariable[];
  readonly sshKey: string | null;
  /** Workload identity of the run: environment, files and logins; null if nothing requests it. */
  readonly identity: JobIdentity | null;
  /** Whether an apply may follow the plan. */
  readonly keepFolder: boolean;
  /** Commit of the configuration version; null for an upload. */
  readonly commit: { readonly branch: string; readonly sha: string; readonly tag: string } | null;
  readonly configurationVersionId: string;
  /** The current state version; null if there is none. */
  readonly stateVersionId: string | null;
  /** Longest duration of the job, seconds. */
  readonly timeout: number;
}

/** Status of a job for its agent. */
export interface JobStatus {
  readonly logBytes: number;
  /** Requested cancel: `interrupt` is like Ctrl-C, `kill` stops the engine at once. */
  readonly cancel: 'none' | 'interrupt' | 'kill';
}
