import { InvalidArgumentError, Option } from 'commander';

export { linkedId } from '../resource.ts';

/** Options of commands that list the newest of something. */
export interface CountOptions {
  readonly count: number;
}

export function countOption(usual: number, most: number): Option {
  return new Option('--count <number>', `number of rows, 1 to ${most}`).default(usual).argParser((text) => {
    const count = Number(text);
    if (/^\d+$/.test(text) && count >= 1 && count <= most) return count;
    throw new InvalidArgumentError(`Expected a number from 1 to ${most}.`);
  });
}

/** An answer of the server to one of its questions about a commit. */
interface Check {
  readonly 'question-text': string;
  readonly passes: boolean;
  readonly text: string;
}

/** Attributes of a verdict. */
export interface VerdictAttributes {
  readonly outcome: string;
  readonly text: string;
  readonly checks: readonly Check[];
}
