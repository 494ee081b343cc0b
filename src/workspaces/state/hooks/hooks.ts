import type { Queries, Transaction } from '../../../storage/index.ts';
import type { Identifier, Resource } from '../../jsonapi/document.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Actor } from '../../tenancy/index.ts';

/** Finds runs and checks that the actor may see them. */
export interface RunLookup {
  /**
   * Finds a run.
   * @throws 404 when it does not exist, or without permission
   */
  find(actor: Actor, id: string): Promise<{ readonly workspaceId: string }>;
  /** Returns whether the writer applies the run. */
  isAppliedBy(db: Queries, id: string, writer: Identifier): Promise<boolean>;
}

/** Returns the runs with these ids that the actor may see, with the resources that the request includes. */
type RunsIncluded = (
  actor: Actor,
  ids: readonly string[],
  origin: string,
  asked: ReadonlySet<'configuration_version' | 'created_by'>,
) => Promise<readonly Resource[]>;

/** Commit of the configuration that a run used. */
export interface RunCommit {
  readonly sha: string;
  readonly url: string | null;
}

/** Returns the commits of those runs whose configuration came from a repository, by the ids of the runs. */
type CommitsOf = (runIds: readonly string[]) => Promise<ReadonlyMap<string, RunCommit>>;

/** Listener that is called when another version becomes the current one, in the same transaction. */
export type ChangedListener = (tx: Transaction, workspaceId: string) => Promise<void>;

/**
 * Outcomes of an upload of a state. refused: a rule does not allow it; failed: the upload broke off, or the state
 * could not be stored.
 */
export const UPLOAD_OUTCOMES = ['stored', 'refused', 'failed'] as const;
export type UploadOutcome = (typeof UPLOAD_OUTCOMES)[number];

/** The part of higher modules in states. */
export interface StateExtension {
  /** Finds the runs of states. Default: none, for a server without runs. */
  readonly runs?: RunLookup;
  /** Source of included runs. Default: none are included. */
  readonly includedRuns?: RunsIncluded;
  /** Source of commits. Default: no run has one. */
  readonly commitsOf?: CommitsOf;
  /** Called when another version becomes the current one, in the same transaction. */
  readonly onChanged?: ChangedListener;
  /** Called for each upload, with the size of a stored state in bytes. */
  readonly onUploaded?: UploadListener;
}

type UploadListener = (outcome: UploadOutcome, bytes: number) => void;

/** Extension points by which higher modules take part in states. They call `extend` during wiring, before any request. */
export class StateHooks {
  readonly #changed: ChangedListener[] = [];
  readonly #uploaded: UploadListener[] = [];
  runs: RunLookup = {
    find: async () => {
      throw notFound();
    },
    isAppliedBy: async () => false,
  };
  includedRuns: RunsIncluded = async () => [];
  commitsOf: CommitsOf = async () => new Map();

  extend({ runs, commitsOf, includedRuns, onChanged, onUploaded }: StateExtension): void {
    this.runs = runs ?? this.runs;
    this.commitsOf = commitsOf ?? this.commitsOf;
    this.includedRuns = includedRuns ?? this.includedRuns;
    if (onChanged !== undefined) this.#changed.push(onChanged);
    if (onUploaded !== undefined) this.#uploaded.push(onUploaded);
  }

  emitUploaded(outcome: UploadOutcome, bytes = 0): void {
    for (const listener of this.#uploaded) listener(outcome, bytes);
  }

  /** Calls the listeners when another version becomes the current one. */
  async emitChanged(tx: Transaction, workspaceId: string): Promise<void> {
    for (const listener of this.#changed) await listener(tx, workspaceId);
  }
}
