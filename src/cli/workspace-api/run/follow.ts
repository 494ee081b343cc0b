import { StringDecoder } from 'node:string_decoder';
import { setTimeout as pause } from 'node:timers/promises';
import { ask, type ConnectionOptions, targetOf } from '../../connection/connection.ts';
import { CommandError } from '../../errors/command-error.ts';
import { EXIT } from '../../errors/exit-codes.ts';
import { printable } from '../../output/printable.ts';
import { isStructuredLine, readable, readLog } from './log-reader.ts';
import { planTextOf } from './plan-data.ts';

/** Polling interval, ms. */
const EVERY = 500;

/** Run as the CLI shows it. */
export interface ShownRun {
  readonly id: string;
  readonly status: string;
  readonly waitingFor: string | null;
  /** Approvals without which a confirmed run is not applied; null if none are missing. */
  readonly missingApprovals: string | null;
  readonly isConfirmable: boolean;
  /** Whether the last approval starts the apply. */
  readonly isConfirmed: boolean;
  /** Place in the queue of its organization, from 1; 0 if it is not queued. */
  readonly position: number;
  readonly planId: string;
  readonly applyId: string;
}

const GOOD = ['applied', 'planned_and_finished', 'planned_and_saved'];
const BAD = ['errored', 'canceled', 'force_canceled', 'discarded'];

/** Whether the run has a final status. */
export const isOver = ({ status }: ShownRun): boolean => GOOD.includes(status) || BAD.includes(status);

/** Prints the log of a run while it grows. */
export class FollowedRun {
  readonly #id: string;
  readonly #options: ConnectionOptions;
  readonly #plan = new Printed();
  readonly #apply = new Printed();
  #told: string | null = null;
  #isPlanShown = false;

  constructor(id: string, options: ConnectionOptions) {
    this.#id = id;
    this.#options = options;
  }

  /** Resolves with the run when the condition holds and its log so far is printed. */
  async until(isEnough: (run: ShownRun) => boolean): Promise<ShownRun> {
    for (;;) {
      const run = await show(this.#id, this.#options);
      // A run that this user is asked to confirm waits for its approvals only.
      this.#tell(run.isConfirmable && !run.isConfirmed ? run.missingApprovals : waitText(run));
      await this.#print(run);
      await this.#showPlan(run);
      if (isEnough(run) && [this.#plan, this.#apply].every(({ isUnderWay }) => !isUnderWay)) return run;
      await pause(EVERY);
    }
  }

  #tell(waitingFor: string | null): void {
    if (waitingFor !== null && waitingFor !== this.#told) {
      process.stderr.write(`${printable(`${waitingFor}${blockerHint(waitingFor)}`)}\n`);
    }
    this.#told = waitingFor;
  }

  /** Structured log lines name the resources only, so the plan follows them with all attributes. */
  async #showPlan({ planId, status }: ShownRun): Promise<void> {
    if (this.#isPlanShown || !this.#plan.isWhole || status === 'planning') return;
    this.#isPlanShown = true;
    if (!this.#plan.isStructured) return;
    const text = await planTextOf(planId, this.#options);
    if (text !== undefined) process.stdout.write(`\n${text}`);
  }

  async #print({ planId, applyId }: ShownRun): Promise<void> {
    const { ca } = targetOf(this.#options);
    if (!this.#plan.isWhole) await this.#plan.print(await logOf('plans', planId, this.#options), ca);
    if (this.#plan.isWhole) await this.#apply.print(await logOf('applies', applyId, this.#options), ca);
  }
}

/** Returns the commands that decide the run for which another one waits. */
function blockerHint(waitingFor: string): string {
  const [, id] = /^Run (run-\w{16}) .* must be confirmed or discarded first/.exec(waitingFor) ?? [];
  return id === undefined ? '' : `: lockkeeper run confirm ${id} or lockkeeper run discard ${id}`;
}

/** Returns what a run waits for, with its place in the queue. */
function waitText({ waitingFor, missingApprovals, position }: ShownRun): string | null {
  const reason = waitingFor ?? missingApprovals;
  if (reason === null || position <= 1) return reason;
  return `${reason} (position ${position} in the queue)`;
}

/** @throws CommandError for a run that failed */
export function conclude(run: ShownRun): void {
  process.stdout.write(`\nThe run ${run.id} is ${run.status}.\n`);
  if (BAD.includes(run.status)) throw new CommandError('', EXIT.failed);
}

async function show(id: string, options: ConnectionOptions): Promise<ShownRun> {
  const { body } = await ask(options, 'workspaces', 'GET', `/api/v2/runs/${encodeURIComponent(id)}`);
  const { data } = body as { readonly data: RunDocument };
  const { attributes, relationships } = data;
  return {
    id: data.id,
    status: attributes.status,
    waitingFor: attributes['waiting-for'] ?? null,
    missingApprovals: attributes.approvals?.missing ?? null,
    isConfirmed: attributes.approvals?.confirmed === true,
    isConfirmable: attributes.actions['is-confirmable'],
    position: attributes['position-in-queue'] ?? 0,
    planId: relationships.plan.data.id,
    applyId: relationships.apply.data.id,
  };
}

interface RunDocument {
  readonly id: string;
  readonly attributes: {
    readonly status: string;
    readonly 'waiting-for'?: string | null;
    readonly 'position-in-queue'?: number;
    readonly approvals?: { readonly missing: string | null; readonly confirmed: boolean } | null;
    readonly actions: { readonly 'is-confirmable': boolean };
  };
  readonly relationships: Readonly<Record<'plan' | 'apply', { readonly data: { readonly id: string } }>>;
}

async function logOf(kind: 'plans' | 'applies', id: string, options: ConnectionOptions): Promise<PhaseDocument> {
  const { body } = await ask(options, 'workspaces', 'GET', `/api/v2/${kind}/${id}`);
  return (body as { readonly data: { readonly attributes: PhaseDocument } }).data.attributes;
}

interface PhaseDocument {
  readonly status: string;
  readonly 'log-read-url': string;
}

/** Position in a log. */
class Printed {
  readonly #decoder = new StringDecoder();
  /** Incomplete last line. */
  #begun = '';
  #offset = 0;
  isWhole = false;
  /** Whether its lines are JSON. */
  isStructured = false;

  get isUnderWay(): boolean {
    return this.#offset > 0 && !this.isWhole;
  }

  async print({ status, 'log-read-url': url }: PhaseDocument, ca: string | undefined): Promise<void> {
    if (this.isWhole || status === 'pending' || status === 'queued' || status === 'unreachable') return;
    const { bytes, next, isEnd } = await readLog(url, this.#offset, ca);
    this.#offset = next;
    this.isWhole = isEnd;
    const lines = (this.#begun + this.#decoder.write(bytes)).split('\n');
    this.#begun = isEnd ? '' : (lines.pop() ?? '');
    this.isStructured ||= lines.some(isStructuredLine);
    const text = lines.map(readable).join('\n');
    if (text !== '') process.stdout.write(isEnd && text.endsWith('\n') ? text : `${text}\n`);
  }
}
