import { failing, MOST_FLAKY, MOST_RUNS, type Row, rowText, rowWithToday } from './flaky.ts';
import { passedIn, type Report } from './report.ts';
import { type FailedTest, MOST_RERUNS } from './rerun.ts';
import { labelOf, type Suite, textOfOnlyThis } from './suites.ts';

const SLOWEST = 10;

export interface SuiteResult {
  readonly suite: Suite;
  readonly report: Report | undefined;
}

export interface Results {
  readonly suites: readonly SuiteResult[];
  /** Steps that are no suites. */
  readonly failedSteps: readonly string[];
  readonly failures: readonly FailedTest[];
  readonly passedAgain: ReadonlySet<FailedTest>;
  /** Rows of `test/flaky.md`. */
  readonly history: readonly Row[];
  readonly today: string;
}

export interface Summary {
  readonly lines: readonly string[];
  readonly failed: number;
}

/** Returns the end of the output. The last line is `N passed, N failed`. */
export function summaryOf({ suites, failedSteps, failures, passedAgain, history, today }: Results): Summary {
  const stayFailed = failures.filter((test) => !passedAgain.has(test));
  const flaky = [...passedAgain].map((test) => rowWithToday(labelOf(test.suite, test.failure), history, today));
  const refused = failing(flaky);
  const failed = failedSteps.length + stayFailed.length + refused.length;
  const passed = suites.reduce((sum, { report }) => sum + (report ? passedIn(report) : 0), 0);
  const lines = [
    ...slowest(suites),
    ...suites.map((result) => countsOf(result, failures, passedAgain)),
    ...(failures.length > MOST_RERUNS ? [`More than ${MOST_RERUNS} tests failed, so none was run again.`] : []),
    ...failedSteps.map((name) => `FAILED step ${name}`),
    ...stayFailed.map((test) => `FAILED ${textOf(test)}`),
    ...[...passedAgain].map((test, at) => `FLAKY ${textOf(test)}\n${historyText(flaky[at] as Row)}`),
    ...flakyTotal(flaky, refused),
    `${passed + flaky.length - refused.length} passed, ${failed} failed`,
  ];
  return { lines, failed };
}

function countsOf({ suite, report }: SuiteResult, failures: readonly FailedTest[], flaky: ReadonlySet<FailedTest>) {
  const own = failures.filter((test) => test.suite === suite);
  const again = own.filter((test) => flaky.has(test)).length;
  const counts = [
    `${report ? passedIn(report) : 0} passed`,
    `${own.length - again} failed`,
    ...(again === 0 ? [] : [`${again} flaky`]),
    `${report?.skipped ?? 0} skipped`,
  ];
  return `${suite.name}: ${counts.join(', ')}`;
}

function textOf({ suite, failure }: FailedTest): string {
  const reason = failure.reason.replaceAll('\n', '\n  ');
  const again = failure.file === undefined ? '' : `\n  again: ${textOfOnlyThis(suite, failure)}`;
  return `${labelOf(suite, failure)}\n  ${reason}${again}`;
}

function historyText(row: Row): string {
  const before = row.seen.slice(0, -1);
  const history = before.length === 0 ? 'for the first time' : `also on ${before.join(', ')}`;
  return `  flaky ${history}; suspicion: ${row.suspicion}\n  test/flaky.md: ${rowText(row)}`;
}

function flakyTotal(flaky: readonly Row[], refused: readonly Row[]): string[] {
  if (flaky.length === 0) return [];
  const most = `at most ${MOST_FLAKY} in a run, and each in fewer than ${MOST_RUNS} runs`;
  return [`${flaky.length} flaky${refused.length === 0 ? '' : `, ${refused.length} of them fail the run (${most})`}`];
}

function slowest(suites: readonly SuiteResult[]): string[] {
  const files = suites.flatMap(({ suite, report }) =>
    (report?.files ?? []).map(({ file, seconds }) => ({ seconds, text: `${seconds} s ${suite.name}: ${file}` })),
  );
  const first = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  return ['Slowest files:', ...first.map(({ text }) => `  ${text}`)];
}
