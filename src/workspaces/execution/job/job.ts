import type { OpenVariable } from '../../variables/index.ts';
import type { RunEngine } from '../lifecycle/engine.ts';
import type { PhaseKind } from '../lifecycle/phase.ts';
import type { JobIdentity } from '../workload-identity/job-identity.ts';

/** A plan or an apply as an agent gets it: everything it needs, as it is at one moment, secrets included. */
export interface Job {
  /** Of the plan or the apply. */
  readonly id: string;
  readonly phase: PhaseKind;
  readonly runId: string;
  /** Of its run: what it leaves to the apply is there. */
  readonly planId: string;
  /** For this job alone. */
  readonly token: string;
  /** For its engine, which reads states with it: of its workspace, and of those that share theirs with it. */
  readonly engineToken: string;
  /** Where configurations know this server (`workspaces.address`); null where the operator does not say. */
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
    readonly generateConfiguration: boolean;
  };
  /** Each name once. */
  readonly variables: readonly OpenVariable[];
  readonly sshKey: string | null;
  /** What proves to others whose run it is; null where nobody wants it proved. */
  readonly identity: JobIdentity | null;
  /** An apply may follow. */
  readonly keepFolder: boolean;
  readonly configurationVersionId: string;
  /** The current one; null where there is none. */
  readonly stateVersionId: string | null;
  /** Seconds. */
  readonly timeout: number;
}

/** Where a job stands, for whoever carries it out. */
export interface JobStatus {
  readonly logBytes: number;
  /** Somebody wants it to end: as Ctrl-C does, or at once. */
  readonly cancel: 'none' | 'interrupt' | 'kill';
}
