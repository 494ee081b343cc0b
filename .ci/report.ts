import { existsSync, readFileSync } from 'node:fs';

/** Failure of a test; of a whole file, if it has no `test`; of a whole suite, if it has no `file` either. */
export interface Failure {
  /** Path from the root. */
  readonly file?: string;
  /** Full name, with the names of its blocks. */
  readonly test?: string;
  readonly reason: string;
}

export interface FileResult {
  readonly file: string;
  readonly seconds: number;
  readonly passed: number;
}

/** Result of one run of Vitest, which `reporter.ts` writes. */
export interface Report {
  readonly skipped: number;
  readonly failures: readonly Failure[];
  readonly files: readonly FileResult[];
}

/** Returns undefined if Vitest ended before it wrote its report. */
export function readReport(path: string): Report | undefined {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

export const passedIn = ({ files }: Report): number => files.reduce((sum, { passed }) => sum + passed, 0);

/** Returns the failures of a suite, at least one unless it ended with 0, and some test passed, and none failed. */
export function failuresOf(report: Report | undefined, code: number): readonly Failure[] {
  if (report === undefined) return [{ reason: `The suite ended with ${code} and without a report. Read its log.` }];
  if (report.failures.length > 0) return report.failures;
  if (passedIn(report) === 0) return [{ reason: 'No test ran.' }];
  return code === 0 ? [] : [{ reason: `The suite ended with ${code}, although no test failed. Read its log.` }];
}
