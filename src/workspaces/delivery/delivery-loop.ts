import type { BackgroundTask, BackgroundWork } from '../../lib/background/background-work.ts';
import { PeriodicTask } from '../../lib/background/periodic-task.ts';
import type { TaskDefinition } from '../../lib/background/task-definition.ts';
import { Slots } from '../../lib/slots.ts';

/** A message that is due. */
export interface Due {
  readonly id: string;
  readonly organizationId: string;
  /** Keys of the limits that the message counts for. */
  readonly target: string;
}

/** Organizations and receivers that have reached their limit, and messages whose claim has failed. */
export interface Without {
  readonly organizations: readonly string[];
  readonly targets: readonly string[];
  readonly ids: readonly string[];
}

/** Limits of concurrent deliveries of one node: total, for one organization, to one receiver. */
export interface DeliveryPlaces {
  readonly all: number;
  readonly ofOrganization: number;
  readonly toReceiver: number;
}

/** Name and description of the background task that polls an outbox. */
export type DeliveryTask = Pick<TaskDefinition, 'name' | 'description'>;

/** Outbox of a delivery loop. */
export interface DeliveryLoopOptions<Work> {
  readonly task: DeliveryTask;
  readonly places: DeliveryPlaces;
  /** Returns some due messages, longest due first. */
  due(without: Without, limit: number): Promise<readonly Due[]>;
  /** Claims a message. Returns undefined if another node has it, or it is not due any more. */
  take(id: string): Promise<Work | undefined>;
  /**
   * Delivers a claimed message.
   * @param loop signals when to give up
   */
  deliver(work: Work, loop: Ending): Promise<void>;
  /** Called for errors of the server itself. */
  readonly report: (error: unknown) => void;
}

/** Signals of a loop that stops. */
export interface Ending {
  /** Whether the loop is stopping, so that no more deliveries start. */
  readonly isStopping: boolean;
  /** Aborted when the time for receivers to respond is over. */
  readonly signal: AbortSignal;
}

/** Time in milliseconds that receivers have to respond when this node stops. Messages without a response are sent again. */
const LAST_CALL = 3000;
/** @limit messages that cannot be claimed and that a node skips in one poll, messages -> the others wait for the next poll */
const MAX_FAILURES = 500;
/** Polling interval of the outbox in milliseconds. */
const REST = 1000;

/** Delivers due messages of an outbox, with concurrency limits for each organization and each receiver. */
export class DeliveryLoop<Work> implements BackgroundWork {
  readonly #options: DeliveryLoopOptions<Work>;
  readonly #slots: Slots<'of' | 'to'>;
  readonly #underWay = new Set<Promise<void>>();
  readonly #steps: PeriodicTask;
  readonly #end = new AbortController();
  #isStarted = false;
  #isStopping = false;
  /** Whether a limit was reached since the last poll began, so that a delivery that ends makes room for another. */
  #isLimited = false;

  constructor(options: DeliveryLoopOptions<Work>) {
    this.#options = options;
    const { task, places, report } = options;
    this.#slots = new Slots(places.all, { of: places.ofOrganization, to: places.toReceiver });
    this.#steps = new PeriodicTask({
      task: { ...task, runsOn: 'every process', period: REST },
      step: () => this.begin().then(() => REST),
      first: REST,
      afterFailure: REST,
      report,
    });
  }

  get tasks(): readonly BackgroundTask[] {
    return this.#steps.tasks;
  }

  start(): void {
    this.#isStarted = true;
    this.#steps.start();
  }

  /** Starts no more deliveries, and waits a short time for those in flight. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const lastCall = setTimeout(() => this.#end.abort(), LAST_CALL);
    await this.#steps.stop();
    await this.settled();
    clearTimeout(lastCall);
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /**
   * Starts all due deliveries that the limits allow.
   * @throws the first error of a claim, after it has claimed the others: a message that cannot be read delays no other
   */
  async begin(): Promise<void> {
    const failures = new Map<string, unknown>();
    this.#isLimited = false;
    for (let goesOn = true; goesOn && this.#slots.free > 0 && !this.#isStopping; ) {
      const failed = failures.size;
      // Failed messages by their ID, because all emails have one target: the SMTP server.
      const [organizations, targets] = [this.#slots.full('of'), this.#slots.full('to')];
      const without = { organizations, targets, ids: [...failures.keys()] };
      let taken = 0;
      for (const due of await this.#options.due(without, this.#slots.free)) {
        const isTaken = await this.#beginOne(due).catch((error: unknown) => void failures.set(due.id, error));
        if (isTaken) taken++;
      }
      goesOn = (taken > 0 || failures.size > failed) && failures.size < MAX_FAILURES;
    }
    for (const error of failures.values()) throw error;
  }

  /** Waits for all deliveries in flight. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  async #beginOne({ id, organizationId, target }: Due): Promise<boolean> {
    const giveBack = this.#slots.acquire({ of: organizationId, to: target });
    if (giveBack === undefined) return false;
    if (this.#isFull()) this.#isLimited = true;
    let work: Work | undefined;
    try {
      work = await this.#options.take(id);
    } finally {
      if (work === undefined) giveBack();
    }
    if (work === undefined) return false;
    const delivering = this.#options
      .deliver(work, this)
      .catch(this.#options.report)
      .finally(() => {
        giveBack();
        this.#underWay.delete(delivering);
        this.#goOn();
      });
    this.#underWay.add(delivering);
    return true;
  }

  #isFull(): boolean {
    return this.#slots.free === 0 || this.#slots.full('of').length > 0 || this.#slots.full('to').length > 0;
  }

  /** Polls at once after a limit was reached. Otherwise each interval would start only as many deliveries as fit. */
  #goOn(): void {
    if (!this.#isLimited || !this.#isStarted || this.#isStopping) return;
    this.#isLimited = false;
    void this.#steps.runNow();
  }
}
