import type { Queries, Transaction } from '../../../storage/index.ts';
import type { Identifier, Resource } from '../../jsonapi/document.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Actor } from '../../tenancy/index.ts';

/** Finds runs for those who may see them. */
export interface RunLookup {
  /** @throws 404 when there is none, or the actor may not */
  find(actor: Actor, id: string): Promise<{ readonly workspaceId: string }>;
  /** Returns whether the writer is the one applying the run. */
  isAppliedBy(db: Queries, id: string, writer: Identifier): Promise<boolean>;
}

/** Returns the runs with these ids that the actor may see, and what is asked for beside them. */
type RunsIncluded = (
  actor: Actor,
  ids: readonly string[],
  origin: string,
  asked: ReadonlySet<'configuration_version' | 'created_by'>,
) => Promise<readonly Resource[]>;

/** Told that another version is the current one, in the same unit of work. */
export type ChangedListener = (tx: Transaction, workspaceId: string) => Promise<void>;

/** What became of a state that was sent. refused: our rules say so; failed: it broke off, or could not be stored. */
export const UPLOAD_OUTCOMES = ['stored', 'refused', 'failed'] as const;
export type UploadOutcome = (typeof UPLOAD_OUTCOMES)[number];

/** Where the wings above take part in states. Filled while the parts are put together, before any request. */
export class StateHooks {
  readonly onChanged: ChangedListener[] = [];
  /** Told of each state that was sent, and how large one is that was stored. */
  readonly onUploaded: ((outcome: UploadOutcome, bytes: number) => void)[] = [];
  /** Without it there are no runs. */
  runs: RunLookup = {
    find: async () => {
      throw notFound();
    },
    isAppliedBy: async () => false,
  };

  /** Without it there are no runs to include. */
  includedRuns: RunsIncluded = async () => [];

  emitUploaded(outcome: UploadOutcome, bytes = 0): void {
    for (const listener of this.onUploaded) listener(outcome, bytes);
  }

  /** Tells of another current version. */
  async emitChanged(tx: Transaction, workspaceId: string): Promise<void> {
    for (const listener of this.onChanged) await listener(tx, workspaceId);
  }
}
