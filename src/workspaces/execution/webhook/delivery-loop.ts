import type { BackgroundWork } from '../../../lib/background-work.ts';
import { PeriodicTask } from '../../../lib/periodic-task.ts';
import { Slots } from '../../../lib/slots.ts';

/** Something whose turn it is. */
export interface Due {
  readonly id: string;
  readonly organizationId: string;
  /** Whose time it takes. */
  readonly target: string;
}

/** Those that have no place left. */
export interface Without {
  readonly organizations: readonly string[];
  readonly targets: readonly string[];
}

/** How much may be on its way at a time from a node: of all, of one organization, to one receiver. */
export interface DeliveryPlaces {
  readonly all: number;
  readonly ofOrganization: number;
  readonly toReceiver: number;
}

/** What is delivered, and how. */
export interface DeliveryLoopOptions<Work> {
  readonly places: DeliveryPlaces;
  /** Some of what is due, the longest due first. */
  due(without: Without, limit: number): Promise<readonly Due[]>;
  /** Undefined when another node has it, or there is nothing to do any more. */
  take(id: string): Promise<Work | undefined>;
  /** @param loop says when it is given up */
  deliver(work: Work, loop: Ending): Promise<void>;
  /** Told of what goes wrong on our side. */
  readonly report: (error: unknown) => void;
}

/** Of a loop that comes to its end. */
export interface Ending {
  /** Nothing more is begun. */
  readonly isStopping: boolean;
  /** Aborted when receivers had their time to answer. */
  readonly signal: AbortSignal;
}

/** Milliseconds that receivers have to answer when this node stops: what they have not answered is sent again. */
const LAST_CALL = 3000;
/** Milliseconds between two looks for what is due. */
const REST = 1000;

/** Takes what is due from an outbox and delivers it, within places for each organization and each receiver. */
export class DeliveryLoop<Work> implements BackgroundWork {
  readonly #options: DeliveryLoopOptions<Work>;
  readonly #slots: Slots<'of' | 'to'>;
  readonly #underWay = new Set<Promise<void>>();
  readonly #steps: PeriodicTask;
  readonly #end = new AbortController();
  #isStopping = false;

  constructor(options: DeliveryLoopOptions<Work>) {
    this.#options = options;
    const { places, report } = options;
    this.#slots = new Slots(places.all, { of: places.ofOrganization, to: places.toReceiver });
    this.#steps = new PeriodicTask({
      step: () => this.begin().then(() => REST),
      first: REST,
      afterFailure: REST,
      report,
    });
  }

  start(): void {
    this.#steps.start();
  }

  /** Begins nothing more, and waits for what is on its way, but not for long. */
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

  /** Begins whatever is due and has a place. */
  async begin(): Promise<void> {
    for (let taken = 1; taken > 0 && this.#slots.free > 0 && !this.#isStopping; ) {
      const without = { organizations: this.#slots.full('of'), targets: this.#slots.full('to') };
      taken = 0;
      for (const due of await this.#options.due(without, this.#slots.free)) {
        if (await this.#beginOne(due)) taken++;
      }
    }
  }

  /** Waits for all that is on its way. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  async #beginOne({ id, organizationId, target }: Due): Promise<boolean> {
    const giveBack = this.#slots.acquire({ of: organizationId, to: target });
    if (giveBack === undefined) return false;
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
      });
    this.#underWay.add(delivering);
    return true;
  }
}
