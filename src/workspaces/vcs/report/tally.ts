import type { RunResult } from '../hooks/run-results.ts';
import type { ReportState } from '../provider/port.ts';

/** Plans or applies by their progress. */
export interface Tally {
  readonly total: number;
  readonly waiting: number;
  readonly running: number;
  /** Plans with changes, or finished applies. */
  readonly changed: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly canceled: number;
  readonly discarded: number;
  /** Applies that wait for a user. */
  readonly confirmation: number;
  /** Approvals that applies wait for. */
  readonly approvals: number;
  /** Runs that could not be created. */
  readonly refused: number;
}

const EMPTY: Tally = {
  ...{ total: 0, waiting: 0, running: 0, changed: 0, unchanged: 0 },
  ...{ failed: 0, canceled: 0, discarded: 0, confirmation: 0, approvals: 0, refused: 0 },
};

const PLANS = {
  waiting: 'waiting',
  running: 'running',
  changes: 'changed',
  unchanged: 'unchanged',
  failed: 'failed',
  canceled: 'canceled',
} as const;
const APPLIES = {
  confirmation: 'confirmation',
  running: 'running',
  applied: 'changed',
  failed: 'failed',
  canceled: 'canceled',
  discarded: 'discarded',
} as const;

/** Counts plans. @param refused number of runs that could not be created */
export function tallyOfPlans(runs: readonly RunResult[], refused: number): Tally {
  const counted = counts(runs.map(({ plan }) => PLANS[plan]));
  return { ...counted, refused, total: counted.total + refused };
}

/** Counts applies. */
export function tallyOfApplies(runs: readonly RunResult[]): Tally {
  const tally = counts(runs.flatMap(({ apply }) => (apply === 'none' ? [] : APPLIES[apply])));
  return { ...tally, approvals: runs.reduce((sum, { approvals = 0 }) => sum + approvals, 0) };
}

function counts(keys: readonly (keyof Tally)[]): Tally {
  const tally: Record<keyof Tally, number> = { ...EMPTY, total: keys.length };
  for (const key of keys) tally[key]++;
  return tally;
}

/** Number of plans or applies that are not over. */
export function unfinished({ waiting, running, confirmation }: Tally): number {
  return waiting + running + confirmation;
}

/** State of a status with its words. */
export interface Outcome {
  readonly state: ReportState;
  readonly words: string;
}

/** Returns the outcome of the plans of a commit. Requires at least one plan. */
export function outcomeOfPlans(tally: Tally, runs: readonly RunResult[]): Outcome {
  const { total, running, changed, unchanged } = tally;
  const open = unfinished(tally);
  const only = total === 1 ? runs[0] : undefined;
  if (open > 0) {
    const state = running > 0 || open < total ? 'running' : 'pending';
    if (total === 1) return { state, words: running > 0 ? 'The plan is running' : 'The plan is waiting' };
    return { state, words: sentence([`${total - open} of ${total} plans finished`, ...problems(tally)]) };
  }
  const state = stateOfProblems(tally);
  if (state !== undefined) return { state, words: total === 1 ? onlyProblem(tally, 'plan') : problemWords(tally) };
  if (only !== undefined) return { state: 'success', words: planWords(only) };
  const parts = [
    ...(changed > 0 ? [`${changed} with changes`] : []),
    ...(unchanged > 0 ? [`${unchanged} without changes`] : []),
  ];
  return { state: 'success', words: `${total} plans: ${parts.join(', ')}` };
}

/** Returns the outcome of the applies of a commit. Requires at least one apply. */
export function outcomeOfApplies(tally: Tally): Outcome {
  const { total, running, changed, confirmation, approvals } = tally;
  if (running > 0) {
    const words =
      total === 1 ? 'The apply is running' : sentence([`${changed} of ${total} applied`, ...problems(tally)]);
    return { state: 'running', words };
  }
  if (confirmation > 0) {
    const words =
      total === 1
        ? `The plan waits for ${approvals > 0 ? inApprovals(approvals) : 'confirmation'}`
        : sentence([
            `${confirmation} of ${total} wait for confirmation`,
            ...(approvals > 0 ? [`${inApprovals(approvals)} missing`] : []),
            ...problems(tally),
          ]);
    return { state: 'pending', words };
  }
  const state = stateOfProblems(tally);
  if (state !== undefined) return { state, words: total === 1 ? onlyProblem(tally, 'apply') : problemWords(tally) };
  return { state: 'success', words: total === 1 ? 'Applied' : `${total} applied` };
}

/** Returns a number of approvals in words, `2 approvals`. */
export const inApprovals = (count: number) => (count === 1 ? '1 approval' : `${count} approvals`);

/** Returns what a plan does to resources. */
export function planWords({ plan, add, change, destroy }: RunResult): string {
  if (plan === 'unchanged') return 'No changes';
  if (add + change + destroy === 0) return 'Changes without resources';
  return `Plan: ${add} to add, ${change} to change, ${destroy} to destroy`;
}

function stateOfProblems({ failed, refused, canceled, discarded }: Tally): ReportState | undefined {
  if (failed + refused > 0) return 'failure';
  return canceled + discarded > 0 ? 'canceled' : undefined;
}

function problems({ failed, refused, canceled, discarded }: Tally): string[] {
  const named = { failed, 'could not start': refused, canceled, discarded };
  return Object.entries(named).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []));
}

/** The first problem says of how many, such as "2 of 37 failed, 1 canceled". */
function problemWords(tally: Tally): string {
  const [first = '', ...others] = problems(tally);
  return sentence([first.replace(/^\d+/, (count) => `${count} of ${tally.total}`), ...others]);
}

function onlyProblem({ failed, refused, discarded }: Tally, what: 'plan' | 'apply'): string {
  if (failed > 0) return `The ${what} failed`;
  if (refused > 0) return 'The run could not start';
  return discarded > 0 ? 'The plan was discarded' : `The ${what} was canceled`;
}

const sentence = (parts: readonly string[]) => parts.join(', ');
