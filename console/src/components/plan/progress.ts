import { plainOf } from '../log/ansi.ts';
import type { LogText } from '../log/log-text.ts';
import type { Operation } from './plan.ts';

/** How far an apply has come with a resource. */
export interface Progress {
  readonly state: 'running' | 'done' | 'failed';
  /** What is done with it, in the words of the console. */
  readonly operation: Operation;
  /** As the engine tells it: `4s`. */
  readonly took: string;
}

const LINE =
  /^(.+?): (Creating|Modifying|Destroying|Still (?:creating|modifying|destroying)|(Creation|Modifications|Destruction) (complete|errored) after ([\dhms]+))/;
const OPERATION: Readonly<Record<string, Operation>> = { c: 'add', m: 'change', d: 'destroy' };
const ELAPSED = /\[(?:.*, )?([\dhms]+) elapsed\]/;

/** What an engine says of resources while it applies: a line a step. */
export class ApplyProgress {
  readonly of = new Map<string, Progress>();
  #read = 0;

  /** The lines that are whole, and were not read yet. */
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
