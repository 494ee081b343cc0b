import type { EngineKind } from './job.ts';
import type { StateVersion } from './state/state-file.ts';

/** A content as it comes, in pieces. */
export type Bytes = AsyncIterable<Uint8Array>;

/** A content that can be read again, should sending it fail. */
export interface Content {
  /** Bytes. */
  readonly size: number;
  open(): Bytes;
}

/** Where a job gets its parts from. Each is asked once. */
export interface Inputs {
  /** The configuration, a tar.gz. For a plan. */
  configuration(): Promise<Bytes>;
  /** The state of the workspace; null where there is none. */
  state(): Promise<Bytes | null>;
  /** What the plan handed out as its folder. For an apply. */
  folder(): Promise<Bytes>;
}

/**
 * Where the results of a job go. Each call is awaited, and tries again by itself for as long as that makes sense: a rejection is
 * final. Calls do not overlap, except that states come beside the log.
 */
export interface Outputs {
  /** The next bytes of the log. Until it is resolved no more is read from the engine. */
  log(bytes: Uint8Array): Promise<void>;
  /**
   * A whole version of the state. Only an apply has any; the last is handed out however the engine ended, perhaps while the one
   * before it is still on its way.
   * @throws StateKept where it is kept elsewhere; else the agent keeps the last one
   */
  state(version: StateVersion, isLast: boolean): Promise<void>;
  /** `show -json` of the plan. Secrets stand in it. */
  planJson(json: Content): Promise<void>;
  /** What people may read of the plan: without sensitive values, with the schemas it needs. */
  redactedPlan(json: Content): Promise<void>;
  /** `providers schema -json`, of the resources that the plan names. */
  schemas(json: Content): Promise<void>;
  /** What an apply of this plan needs: a tar.gz. Secrets stand in it. */
  folder(archive: Content): Promise<void>;
}

/** How many resources. */
export interface Counts {
  readonly additions: number;
  readonly changes: number;
  readonly destructions: number;
  readonly imports: number;
}

/** What a plan found out about what is there. */
export interface Findings {
  /** Resources that were changed or removed other than by an apply. */
  readonly resourcesDrifted: number;
  readonly resourcesUndrifted: number;
  /** Conditions and checks of the configuration, each instance by itself. */
  readonly checks: Readonly<Record<CheckOutcome, number>>;
}

/** How a condition turned out. */
export type CheckOutcome = 'pass' | 'fail' | 'error' | 'unknown';

/** How a job ended. */
export type JobEnd =
  | {
      /** The engine ended by itself. Its exit code is 0, or what it said was wrong stands in the log. */
      readonly kind: 'finished';
      readonly step: 'init' | 'plan' | 'apply';
      /** What carried it out. */
      readonly engine?: { readonly kind: EngineKind; readonly version: string };
      /** 0 for success, whatever was found. */
      readonly exit: number;
      /** Of a plan that went well; else null. */
      readonly hasChanges: boolean | null;
      /** What is planned, or what was done; null where that is not known. */
      readonly counts: Counts | null;
      /** Of a plan that only refreshes. */
      readonly findings?: Findings;
    }
  | {
      /** Somebody stopped it. `isForced`: the engine was killed and had no time to clean up. */
      readonly kind: 'canceled';
      readonly isForced: boolean;
    }
  | {
      readonly kind: 'failed';
      /** One line that a person understands. It is the last line of the log too. */
      readonly reason: string;
    };

/** What went wrong with a job other than in its engine, in words for people. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';
}

/** A state that was not taken as that of the workspace, and where it is kept. Said whatever else happened. */
export class StateKept extends JobFailure {}
