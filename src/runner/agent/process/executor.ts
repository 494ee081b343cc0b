import type { Executor } from '../executor.ts';
import type { Trust } from '../http/server.ts';
import type { HandedJob } from '../job/job-document.ts';
import type { Workshop } from '../job/workshop.ts';
import { ProcessExecution } from './execution.ts';

/**
 * Executes each job in its own process with a bounded heap, so that a huge output of an engine can only crash its own
 * job. The processes end when the agent ends.
 */
export class ProcessExecutor implements Executor {
  readonly #workshop: Workshop;
  readonly #underWay = new Set<ProcessExecution>();

  constructor(workshop: Workshop) {
    this.#workshop = workshop;
  }

  async begun(): Promise<readonly string[]> {
    return [];
  }

  start(handed: HandedJob): ProcessExecution {
    const execution = new ProcessExecution(handed, this.#workshop);
    this.#underWay.add(execution);
    void execution.watch().finally(() => this.#underWay.delete(execution));
    return execution;
  }

  trust(trust: Trust): void {
    for (const execution of this.#underWay) execution.trust(trust);
  }
}
