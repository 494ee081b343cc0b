import { join } from 'node:path';
import { run } from './process.ts';
import { type Failure, type Report, readReport } from './report.ts';
import { onlyThis, REPORTER, type Suite } from './suites.ts';

/** With more failures than this none is run again: something is broken, and each rerun takes a while. */
export const MOST_RERUNS = 10;

export interface FailedTest {
  readonly suite: Suite;
  readonly failure: Failure;
}

/** Runs each failed test once more, by itself. @returns those that pass now */
export async function rerunAll(
  tests: readonly FailedTest[],
  folder: string,
  cwd?: string,
): Promise<ReadonlySet<FailedTest>> {
  const passed = new Set<FailedTest>();
  if (tests.length > MOST_RERUNS) return passed;
  for (const [at, test] of tests.entries()) {
    if (test.failure.file !== undefined && (await passes(test, join(folder, `rerun-${at}`), cwd))) passed.add(test);
  }
  return passed;
}

async function passes({ suite, failure }: FailedTest, path: string, cwd?: string): Promise<boolean> {
  const argv = [...onlyThis(suite, failure), `--reporter=${REPORTER}`];
  const env = { ...suite.env, CI_REPORT: `${path}.json` };
  await run({ argv, env, log: `${path}.log`, ...(cwd === undefined ? {} : { cwd }) });
  const report = readReport(`${path}.json`);
  return report !== undefined && hasPassed(report, failure);
}

/** Vitest also runs files whose path ends like this one. Their results do not count. */
function hasPassed({ failures, files }: Report, { file }: Failure): boolean {
  const isFree = failures.every((failure) => failure.file !== undefined && failure.file !== file);
  return isFree && files.some((result) => result.file === file && result.passed > 0);
}
