import type { Clock } from '../../../lib/clock.ts';
import { MAX_LOG } from '../../../lib/job/limits.ts';
import { SignedLinks } from '../../../lib/signed-links/index.ts';
import type { Database, Keyring, SealedColumn, Transaction } from '../../../storage/index.ts';
import { conflict, notFound } from '../../jsonapi/errors.ts';
import { type Actor, principalIn } from '../../tenancy/index.ts';
import { storeReporter } from '../approval/requesters.ts';
import { isPhaseOver, type Phase, type PhaseKind, phaseDuring } from '../lifecycle/phase.ts';
import { startsPhase } from '../lifecycle/status.ts';
import { isAnotherJob, type RunFinder, refusalOf } from './finder.ts';
import { cleaned, END_OF_TEXT, fitting, isCut, START_OF_TEXT } from './log-text.ts';
import type { LogWaits } from './log-waits.ts';
import * as store from './phase-store.ts';
import type { Run } from './run.ts';

const HOUR = 3_600_000;
/** `tofu` and `terraform` skip the first three lines of the log of an apply. */
const SKIPPED_LINES = '\n\n\n';
const NOT_STARTED: readonly Phase['status'][] = ['pending', 'queued'];
/** @limit messages of the server in the log of a plan or an apply that has not started, bytes -> further ones are not stored */
const MAX_PREFACE = 4096;
/** Number of log bytes that are decrypted at once. */
const PIECE = 262_144;
/** Lifetime of a log URL. */
export const LOG_LINK_LIFE = { life: 24 * HOUR, step: HOUR };

/** The part of a log that a client requests, in bytes of the response. */
export interface LogRange {
  readonly offset: number;
  readonly limit: number;
}

/** Dependencies of `RunPhases`. */
export interface RunPhasesOptions {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly finder: RunFinder;
  readonly waits: LogWaits;
}

/** The plans and applies of runs, and their logs. */
export class RunPhases {
  readonly #database: Database;
  readonly #keyring: Keyring;
  readonly #finder: RunFinder;
  readonly #waits: LogWaits;
  /** Signs log URLs, which need no token. */
  readonly links: SignedLinks;

  constructor({ database, keyring, clock, finder, waits }: RunPhasesOptions) {
    this.#database = database;
    this.#keyring = keyring;
    this.#finder = finder;
    this.#waits = waits;
    this.links = new SignedLinks(keyring, clock, {
      purpose: 'run-log',
      path: (_id, link) => `/api/v2/run-logs/${link}`,
      life: LOG_LINK_LIFE,
    });
  }

  /**
   * Finds a phase.
   * @throws 404 when it does not exist, or the actor may not see its run
   */
  async find(actor: Actor, kind: PhaseKind, id: string): Promise<Phase> {
    const phase = await this.#finder.owner(actor, await store.findPhase(this.#database, id));
    if (phase.kind !== kind) throw notFound();
    return phase;
  }

  /** Returns whether the phase is not over. */
  async goesOn(tx: Transaction, id: string): Promise<boolean> {
    const phase = await store.findPhase(tx, id);
    return phase !== undefined && !isPhaseOver(phase.status);
  }

  /** Returns the plan and the apply of each run, by run id. */
  async ofRuns(runIds: readonly string[]): Promise<ReadonlyMap<string, Phase[]>> {
    return Map.groupBy(await store.phasesOfRuns(this.#database, runIds), ({ runId }) => runId);
  }

  /**
   * Appends output of the executing program to the log. `from` is the end of the log as the sender knows it, so that a
   * repeated request does not append twice. Output beyond the size limit is accepted and dropped, so that no run fails
   * because of its output.
   * @throws 404 without permission, 409 when the log does not end at `from`, the phase is not running, or agents
   * execute the run and the actor is none
   */
  async append(actor: Actor, kind: PhaseKind, id: string, from: number, content: Uint8Array): Promise<Phase> {
    const phase = await this.find(actor, kind, id);
    const run = await this.#finder.find(actor, phase.runId);
    if (!run.permissions.executeTrial || isAnotherJob(actor, id)) throw refusalOf(actor);
    this.#finder.requireExecutor(actor, run);
    requireRunning(phase);
    // A sender that counts its own bytes may be at any position after the point where the log was truncated.
    if (isCut(phase.logBytes) && isCut(from)) return phase;
    if (phase.logBytes !== from) throw conflict(`The log ends at byte ${phase.logBytes}`);
    if (content.length === 0) return phase;
    const kept = fitting(from, content);
    await this.#appendSent(phase, from, kept, async (tx) => {
      if (kind === 'plan') await storeReporter(tx, run, principalIn(actor, run.organizationId));
    });
    return { ...phase, logBytes: from + kept.length };
  }

  /**
   * Appends like `append`, without a permission check. The content may overlap bytes that were stored before. The sender
   * does not count the preface.
   * @returns the length of the log as the sender counts it
   * @throws 404 when there is no such phase, 409 when bytes before `from` are missing or the phase is not running
   */
  async extend(id: string, from: number, content: Uint8Array): Promise<number> {
    const phase = await store.findPhase(this.#database, id);
    if (phase === undefined) throw notFound();
    requireRunning(phase);
    const sent = sentBytes(phase);
    const end = from + content.length;
    if (end <= sent) return sent;
    // A sender that counts its own bytes may be at any position after the point where the log was truncated.
    if (isCut(phase.logBytes)) return end;
    if (from > sent) throw conflict(`The log ends at byte ${sent}`);
    const kept = fitting(phase.logBytes, content.subarray(sent - from));
    await this.#appendSent(phase, phase.logBytes, kept);
    return end;
  }

  /**
   * Appends a message of the server to the log of a phase before it starts, so that a client that waits for it shows
   * the message. Drops it once the messages have `MAX_PREFACE` bytes.
   */
  async notePreface(tx: Transaction, runId: string, text: string, kind: PhaseKind = 'apply'): Promise<void> {
    const phase = (await store.phasesOfRuns(tx, [runId])).find((one) => one.kind === kind);
    if (phase === undefined || !NOT_STARTED.includes(phase.status) || sentBytes(phase) > 0) return;
    const said = `${phase.logBytes === 0 ? SKIPPED_LINES : ''}${text}\n`;
    if (phase.logBytes + Buffer.byteLength(said) > MAX_PREFACE) return;
    if (await this.#append(tx, phase, phase.logBytes, Buffer.from(said))) await store.setPreface(tx, phase.id);
  }

  /** Appends a message of the server to the log of that phase, or of the running phase, if there is room. */
  async note(tx: Transaction, runId: string, text: string, kind?: PhaseKind): Promise<void> {
    const phases = await store.phasesOfRuns(tx, [runId]);
    const phase = phases.find((phase) => (kind === undefined ? phase.status === 'running' : phase.kind === kind));
    if (phase !== undefined) await this.#append(tx, phase, phase.logBytes, Buffer.from(text));
  }

  /**
   * Appends the reason why a run ends early to the log of the phase that was queued or running before the end.
   * @param reason without its full stop
   */
  async noteEnd(tx: Transaction, { id, status }: Pick<Run, 'id' | 'status'>, reason: string): Promise<void> {
    const kind = phaseDuring(status);
    if (kind === undefined) return;
    await this.note(tx, id, `${startsPhase(status) ? SKIPPED_LINES : '\n'}${reason}.\n`, kind);
  }

  /**
   * Returns the requested range of the log, including the control characters around the log. A range that starts at
   * the end of a growing log is a long poll: the method waits for more output, and returns nothing after a timeout.
   * @param signal aborted when the client has disconnected
   * @throws 404 when the phase does not exist, or the actor may not see its run
   */
  async log(actor: Actor, id: string, range: LogRange, signal: AbortSignal): Promise<Uint8Array> {
    const phase = await this.#finder.owner(actor, await store.findPhase(this.#database, id));
    if (!isAtEnd(phase, range)) return this.#range(phase, range);
    const look = async () => {
      const now = await this.#finder.owner(actor, await store.findPhase(this.#database, id));
      return isAtEnd(now, range) ? undefined : this.#range(now, range);
    };
    return (await this.#waits.until(phase.runId, signal, look)) ?? new Uint8Array();
  }

  async #range(phase: Phase, { offset, limit }: LogRange): Promise<Uint8Array> {
    const end = offset + limit;
    const [from, to] = [Math.max(0, offset - 1), Math.max(0, end - 1)];
    const parts = [
      ...(offset === 0 && limit > 0 ? [Uint8Array.of(START_OF_TEXT)] : []),
      await this.#bytes(phase, from, Math.min(to, phase.logBytes)),
      ...(isPhaseOver(phase.status) && offset <= phase.logBytes + 1 && end > phase.logBytes + 1
        ? [Uint8Array.of(END_OF_TEXT)]
        : []),
    ];
    return Buffer.concat(parts);
  }

  /** Returns the plan of a run; undefined if there is none. The caller has checked that the actor may see the run. */
  async planOf(runId: string): Promise<Phase | undefined> {
    return (await store.phasesOfRuns(this.#database, [runId])).find(({ kind }) => kind === 'plan');
  }

  /** Yields the whole log of that phase in chunks, without the control characters around it. */
  async *logChunks(phase: Phase): AsyncGenerator<Uint8Array> {
    for (let from = 0; from < phase.logBytes; from += PIECE) {
      yield await this.#bytes(phase, from, Math.min(phase.logBytes, from + PIECE));
    }
  }

  /**
   * Appends output of the executor. The phase may have ended since it was read.
   * @param onAppended runs in the transaction, after the output is stored
   * @throws 409
   */
  async #appendSent(
    phase: Phase,
    from: number,
    content: Uint8Array,
    onAppended?: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    const appended = await this.#database.transaction(async (tx) => {
      const isStored = await this.#append(tx, phase, from, content, true);
      if (isStored) await onAppended?.(tx);
      return isStored;
    });
    if (appended) return;
    requireRunning((await store.findPhase(this.#database, phase.id)) ?? phase);
    throw conflict('Another request appended to the log at the same time');
  }

  #append(tx: Transaction, { id, runId }: Phase, from: number, content: Uint8Array, mustRun = false): Promise<boolean> {
    this.#waits.wake(tx, runId);
    const part = { bytes: content.length, content: this.#keyring.encrypt(cleaned(content), contextOf(id, from)) };
    return store.appendLog(tx, { id, from, most: MAX_LOG, mustRun }, part);
  }

  async #bytes({ id }: Phase, from: number, to: number): Promise<Uint8Array> {
    if (to <= from) return new Uint8Array();
    const parts = await store.logParts(this.#database, id, from, to);
    const plain = parts.map(({ firstByte, content }) => {
      const bytes = this.#keyring.decrypt(content, contextOf(id, firstByte));
      return bytes.subarray(Math.max(0, from - firstByte), to - firstByte);
    });
    return Buffer.concat(plain);
  }
}

/**
 * Returns whether the range starts at the end of a growing log. The first byte of the response is a control character
 * and not part of the log.
 */
function isAtEnd({ status, logBytes }: Phase, { offset, limit }: LogRange): boolean {
  return !isPhaseOver(status) && limit > 0 && offset === logBytes + 1;
}

/** Approvers trust the log, so nobody may fill it before an agent executes the phase. @throws 409 */
function requireRunning({ kind, status }: Phase): void {
  if (isPhaseOver(status)) throw conflict(`The ${kind} is over. Its log accepts no more output`);
  if (status !== 'running') throw conflict(`The ${kind} is ${status}. Its log accepts output while it is running`);
}

const contextOf = (phaseId: string, firstByte: number) => `run-log/${phaseId}/${firstByte}`;

export const sealedLogs: SealedColumn = {
  table: 'run_log',
  key: ['phase_id', 'first_byte'],
  column: 'content',
  boundTo: [],
  contextOf: contextOf,
};

/** Returns the length of the log as its executor counts it. */
export function sentBytes({ logBytes, prefaceBytes }: Phase): number {
  return logBytes - prefaceBytes;
}
