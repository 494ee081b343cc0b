/**
 * Runs all checks and suites, then each failed test once more. `all.ts [--failed STEP]… [TOOK]…`: steps that have
 * already failed, and what they took.
 */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readRows } from './flaky.ts';
import { runLanes, type StepResult } from './lanes.ts';
import { groupsIn, reportOf, SUITES } from './plan.ts';
import { stopWithThis } from './process.ts';
import { failuresOf, readReport } from './report.ts';
import { rerunAll } from './rerun.ts';
import { summaryOf } from './summary.ts';

const { values, positionals: tookBefore } = parseArgs({
  allowPositionals: true,
  options: { failed: { type: 'string', multiple: true, default: [] } },
});
stopWithThis();
try {
  process.exitCode = (await runAll()) === 0 ? 0 : 1;
} catch (error) {
  console.log(`${error instanceof Error ? error.stack : error}\n0 passed, 1 failed`);
  process.exitCode = 1;
}

/** @returns the number of failures */
async function runAll(): Promise<number> {
  const history = readRows(readFileSync(new URL('../test/flaky.md', import.meta.url), 'utf8'));
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-ci-'));
  const steps = await runLanes(groupsIn(folder), folder, console.log);
  const { failedSteps, suites, failures } = resultsOf(steps, folder);
  const passedAgain = await rerunAll(failures, folder);
  const took = [...tookBefore, ...steps.map(({ name, seconds }) => `${name} ${seconds} s`)];
  console.log(`\n${took.join('; ')}; lanes and reruns ${Math.round(performance.now() / 1000)} s`);
  const before = {
    failedSteps: [...values.failed, ...failedSteps],
    history,
    today: new Date().toISOString().slice(0, 10),
  };
  const { lines, failed } = summaryOf({ ...before, suites, failures, passedAgain });
  for (const line of lines) console.log(line);
  return failed;
}

function resultsOf(steps: readonly StepResult[], folder: string) {
  const codes = new Map(steps.map(({ name, code }) => [name, code]));
  const suites = Object.values(SUITES).map((suite) => ({ suite, report: readReport(reportOf(folder, suite)) }));
  const failures = suites.flatMap(({ suite, report }) =>
    failuresOf(report, codes.get(suite.name) ?? 1).map((failure) => ({ suite, failure })),
  );
  const names = new Set(suites.map(({ suite }) => suite.name));
  const failedSteps = steps.filter(({ name, code }) => code !== 0 && !names.has(name)).map(({ name }) => name);
  return { failedSteps, suites, failures };
}
