import { prefixedId } from '../../../../lib/ids.ts';
import type { Transaction } from '../../../../storage/index.ts';
import type { Identifier } from '../../../jsonapi/document.ts';
import { addEvent } from '../history/event-store.ts';
import { inOneLine } from '../log-text.ts';
import type { RunPhases } from '../phases.ts';
import type { Run } from '../run.ts';

/** Context of a note. */
interface NoteContext {
  readonly now: number;
  /** Actor of the event; null if the server acts by itself. */
  readonly actor: Identifier | null;
  readonly commentId?: string | null;
}

type Noted = Pick<Run, 'id'>;

/** Makes the reports about the commit of a run due, because they say how many approvals are missing. */
export type ReportCommit = (tx: Transaction, run: Noted) => void;

/**
 * Writes what happens with the approvals of a run to its events, and to the log of its apply: `tofu apply` and
 * `terraform apply` show nothing else while they wait.
 */
export class ApprovalNotes {
  readonly #phases: Pick<RunPhases, 'notePreface'>;
  readonly #reportCommit: ReportCommit;

  constructor(phases: Pick<RunPhases, 'notePreface'>, reportCommit: ReportCommit) {
    this.#phases = phases;
    this.#reportCommit = reportCommit;
  }

  /** A user or `auto-apply` confirmed the run. @param missing which approvals are missing, without the full stop */
  async begin(tx: Transaction, run: Noted, missing: string, context: NoteContext): Promise<void> {
    await this.#note(tx, run, 'approvals_awaited', `The run waits for approvals. ${missing}`, context);
  }

  /** @param state the approvals after it, such as `1 of 2 approvals` */
  async approved(tx: Transaction, run: Noted, name: string, state: string, context: NoteContext): Promise<void> {
    await this.#note(tx, run, 'approved', `${inOneLine(name)} approved the run: ${state}`, context);
  }

  /** @param state the approvals after it, such as `1 of 2 approvals` */
  async revoked(tx: Transaction, run: Noted, name: string, state: string, context: NoteContext): Promise<void> {
    await this.#note(tx, run, 'approval_revoked', `${inOneLine(name)} revoked an approval: ${state}`, context);
  }

  /** The run is discarded while it waits for approvals. Its event is that of the transition. */
  async discarded(tx: Transaction, { id }: Noted): Promise<void> {
    await this.#phases.notePreface(tx, id, 'The run was discarded. Nothing was applied.');
  }

  async #note(
    tx: Transaction,
    { id: runId }: Noted,
    action: string,
    description: string,
    { now, actor, commentId = null }: NoteContext,
  ): Promise<void> {
    await addEvent(tx, { id: prefixedId('re', now), runId, action, actor, commentId, description, createdAt: now });
    await this.#phases.notePreface(tx, runId, `${description}.`);
    this.#reportCommit(tx, { id: runId });
  }
}
