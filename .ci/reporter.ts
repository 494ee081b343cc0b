import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestError, TestModule, TestSpecification, Vitest } from 'vitest/node';
import type { Failure, FileResult, Report } from './report.ts';

const REASON_LINES = 4;
const REASON_LENGTH = 300;
const OURS = /^at (?!.*node_modules).*\/(?:test|src)\//;

/**
 * Writes a `Report` to the path in `CI_REPORT`. Vitest's own JSON report lacks failed hooks, unhandled errors, and files
 * whose worker crashed.
 */
export default class FailureReporter implements Reporter {
  #root = '';
  #expected: readonly string[] = [];

  onInit(vitest: Vitest): void {
    this.#root = vitest.config.root;
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#expected = specifications.map(({ moduleId }) => moduleId);
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const finished = modules.filter((module) => module.state() !== 'pending' && module.state() !== 'queued');
    const ids = new Set(finished.map(({ moduleId }) => moduleId));
    const lost = [...new Set(this.#expected)].filter((id) => !ids.has(id)).map((id) => this.#path(id));
    const failures = [...finished.flatMap((module) => this.#failures(module)), ...this.#others(errors, lost)];
    const tests = finished.flatMap((module) => [...module.children.allTests()]);
    const report: Report = {
      skipped: tests.filter((test) => test.result().state === 'skipped').length,
      failures: withoutRepetitions(failures),
      files: finished.map((module) => this.#file(module)),
    };
    writeFileSync(process.env.CI_REPORT ?? '', JSON.stringify(report));
  }

  #path(moduleId: string): string {
    return relative(this.#root, moduleId);
  }

  #file(module: TestModule): FileResult {
    const { duration, collectDuration, setupDuration, environmentSetupDuration, prepareDuration } = module.diagnostic();
    const milliseconds = duration + collectDuration + setupDuration + environmentSetupDuration + prepareDuration;
    const passed = [...module.children.allTests()].filter((test) => test.result().state === 'passed').length;
    return { file: this.#path(module.moduleId), seconds: Math.round(milliseconds / 1000), passed };
  }

  /** Returns failed tests, and one failure of the file if it cannot be loaded or a hook of it fails. */
  #failures(module: TestModule): Failure[] {
    const file = this.#path(module.moduleId);
    const suites = [...module.children.allSuites()];
    const whole = [...module.errors(), ...suites.flatMap((suite) => suite.errors())];
    const tests = [...module.children.allTests()].filter((test) => test.result().state === 'failed');
    const failures = tests.map((test) => ({ file, test: test.fullName, reason: reasonOf(test.result().errors?.[0]) }));
    return [...whole.map((error) => ({ file, reason: reasonOf(error) })), ...failures];
  }

  /** Returns unhandled errors and files without a result. The latter explain an error of a worker. */
  #others(errors: readonly SerializedError[], lost: readonly string[]): Failure[] {
    const inFiles = errors
      .filter(({ VITEST_TEST_PATH }) => VITEST_TEST_PATH)
      .map((error) => ({ file: this.#path(error.VITEST_TEST_PATH), reason: `Unhandled error: ${reasonOf(error)}` }));
    const reasons = errors
      .filter(({ VITEST_TEST_PATH }) => !VITEST_TEST_PATH)
      .map((error) => `Error outside of the tests: ${reasonOf(error)}`);
    const withoutResult = lost.map((file) => ({ file, reason: ['The file has no result.', ...reasons].join('\n') }));
    return [...inFiles, ...withoutResult, ...(lost.length === 0 ? reasons.map((reason) => ({ reason })) : [])];
  }
}

/** Keeps the first failure of each test and file. */
function withoutRepetitions(failures: readonly Failure[]): Failure[] {
  const first = new Map<string, Failure>();
  for (const failure of failures) {
    const key = JSON.stringify([failure.file, failure.test]);
    if (!first.has(key)) first.set(key, failure);
  }
  return [...first.values()];
}

/** Returns the first lines of the message and the first line of the stack that is in our code. */
function reasonOf(error: TestError | SerializedError | undefined): string {
  const message = (error?.message ?? 'unknown').split('\n').slice(0, REASON_LINES).join('\n');
  const place = (error?.stack ?? '').split('\n').find((line) => OURS.test(line.trim()));
  return [message.slice(0, REASON_LENGTH), ...(place ? [place.trim()] : [])].join('\n');
}
