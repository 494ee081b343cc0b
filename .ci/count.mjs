// Adds up what the suites counted and prints the closing line.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [reports, failedSteps, ...suites] = process.argv.slice(2);
let passed = 0;
let failed = 0;
for (const suite of suites) {
  const file = join(reports, `${suite}.json`);
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  if (!report || report.numPassedTests === 0) {
    console.log(`${suite}: no test ran`);
    failed += 1;
    continue;
  }
  console.log(
    `${suite}: ${report.numPassedTests} passed, ${report.numFailedTests} failed, ${report.numPendingTests} skipped`,
  );
  passed += report.numPassedTests;
  failed += report.numFailedTests;
}
failed = Math.max(failed, Number(failedSteps));
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
