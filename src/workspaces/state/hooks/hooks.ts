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

/** Listener that is called when another version becomes the current one, in the same transaction. */
export type ChangedListener = (tx: Transaction, workspaceId: string) => Promise<void>;

/**
 * Outcomes of an upload of a state. refused: a rule does not allow it; failed: the upload broke off, or the state
 * could not be stored.
 */
export const UPLOAD_OUTCOMES = ['stored', 'refused', 'failed'] as const;
export type UploadOutcome = (typeof UPLOAD_OUTCOMES)[number];

/** Extension points by which higher modules take part in states. They are filled during wiring, before any request. */
export class StateHooks {
  readonly onChanged: ChangedListener[] = [];
  /** Listeners that are called for each upload, with the size of a stored state. */
  readonly onUploaded: ((outcome: UploadOutcome, bytes: number) => void)[] = [];
  /** Finds the runs of states. The default is for a server without runs. */
  runs: RunLookup = {
    find: async () => {
      throw notFound();
    },
    isAppliedBy: async () => false,
  };

  /** Source of included runs. The default is for a server without runs, where there are none to include. */
  includedRuns: RunsIncluded = async () => [];

  emitUploaded(outcome: UploadOutcome, bytes = 0): void {
    for (const listener of this.onUploaded) listener(outcome, bytes);
  }

  /** Calls the listeners when another version becomes the current one. */
  async emitChanged(tx: Transaction, workspaceId: string): Promise<void> {
    for (const listener of this.onChanged) await listener(tx, workspaceId);
  }
}
