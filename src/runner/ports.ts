import type { EngineKind } from './job.ts';
import type { Packages } from './packages.ts';
import type { StateVersion } from './state/state-file.ts';

/** Stream of bytes. */
export type Bytes = AsyncIterable<Uint8Array>;

/** A blob that can be read again if its upload fails. */
export interface Content {
  /** Bytes. */
  readonly size: number;
  open(): Bytes;
}

/** Inputs of a job. Each is fetched once. */
export interface Inputs {
  /** Returns the configuration as a tar.gz. Only for a plan. */
  configuration(): Promise<Bytes>;
  /** Returns the state of the workspace; null if there is none. */
  state(): Promise<Bytes | null>;
  /** Returns the plan artifact. Only for an apply. */
  folder(): Promise<Bytes>;
}

/**
 * Outputs of a job. Each call retries by itself, so a rejection is final. Calls do not overlap, except that states are
 * sent beside the log.
 */
export interface Outputs {
  /** Sends bytes of the log. Until it resolves, nothing more is read from the engine (back-pressure). */
  log(bytes: Uint8Array): Promise<void>;
  /**
   * Sends a whole version of the state. Only an apply has states. The last one is sent however the engine ended,
   * possibly while an earlier one is still being sent.
   * @throws StateKept if the state is kept elsewhere; after any other error the agent keeps the last state
   */
  state(version: StateVersion, isLast: boolean): Promise<void>;
  /** Sends the output of `show -json`, which contains secrets. */
  planJson(json: Content): Promise<void>;
  /** Sends the plan for users: without sensitive values, with the schemas that it needs. */
  redactedPlan(json: Content): Promise<void>;
  /** Sends the output of `providers schema -json`, reduced to the resource types of the plan. */
  schemas(json: Content): Promise<void>;
  /** Sends the plan artifact for the apply: a tar.gz that contains secrets. */
  folder(archive: Content): Promise<void>;
}

/** Numbers of resources that a plan or an apply changes. */
export interface Counts {
  readonly additions: number;
  readonly changes: number;
  readonly destructions: number;
  readonly imports: number;
}

/** Findings of a refresh-only plan. */
export interface Findings {
  /** Resources that were changed or deleted outside of an apply. */
  readonly resourcesDrifted: number;
  readonly resourcesUndrifted: number;
  /** Results of conditions and checks of the configuration; each instance counts. */
  readonly checks: Readonly<Record<CheckOutcome, number>>;
}

/** Result of a condition. */
export type CheckOutcome = 'pass' | 'fail' | 'error' | 'unknown';

/** How a job ended. */
export type JobEnd =
  | {
      /** The engine ended by itself. If the exit code is not 0, the log has its error. */
      readonly kind: 'finished';
      readonly step: 'init' | 'plan' | 'apply';
      /** The engine that ran. */
      readonly engine?: { readonly kind: EngineKind; readonly version: string };
      /** Exit code; 0 for success, with or without changes. */
      readonly exit: number;
      /** Null unless a plan succeeded. */
      readonly hasChanges: boolean | null;
      /** Planned or applied changes; null if unknown. */
      readonly counts: Counts | null;
      /** Only for a refresh-only plan. */
      readonly findings?: Findings;
      /** Providers and modules of the configuration; only for a successful plan. */
      readonly packages?: Packages;
    }
  | {
      /** The run was canceled. `isForced`: the engine was killed and had no time to clean up. */
      readonly kind: 'canceled';
      readonly isForced: boolean;
    }
  | {
      readonly kind: 'failed';
      /** Reason in one line for users. Also the last line of the log. */
      readonly reason: string;
    };

/** Failure of a job outside of its engine. The message is for users. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';
}

/** A state that is kept elsewhere instead of in the workspace. Takes precedence over any other reason of a failure. */
export class StateKept extends JobFailure {}
