import type { Operation } from '../../../../src/lib/plan/plan.ts';
import { plainOf } from '../log/ansi.ts';
import type { LogText } from '../log/log-text.ts';

/** Progress of an apply for one resource. */
export interface Progress {
  readonly state: 'running' | 'done' | 'failed';
  /** Operation in the console's words. */
  readonly operation: Operation;
  /** Duration as the engine reports it: `4s`. */
  readonly took: string;
}

const LINE =
  /^(.+?): (Creating|Modifying|Destroying|Still (?:creating|modifying|destroying)|(Creation|Modifications|Destruction) (complete|errored) after ([\dhms]+))/;
const OPERATION: Readonly<Record<string, Operation>> = { c: 'add', m: 'change', d: 'destroy' };
const ELAPSED = /\[(?:.*, )?([\dhms]+) elapsed\]/;

/** Parses the progress of an apply from the engine's log. */
export class ApplyProgress {
  readonly of = new Map<string, Progress>();
  #read = 0;

  /** Parses complete lines that were not parsed yet. */
  next(log: LogText): void {
    for (; this.#read < log.whole; this.#read++) this.#line(plainOf(log.line(this.#read)));
  }

  #line(text: string): void {
    const found = LINE.exec(text);
    if (!found) return;
    const [, address = '', verb = '', , end, took = ''] = found;
    const operation = OPERATION[verb.replace('Still ', '')[0]?.toLowerCase() ?? ''] ?? 'change';
    if (end) return void this.of.set(address, { operation, took, state: end === 'complete' ? 'done' : 'failed' });
    this.of.set(address, { operation, took: ELAPSED.exec(text)?.[1] ?? '', state: 'running' });
  }
}
