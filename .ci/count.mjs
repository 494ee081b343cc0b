// Adds up what the suites counted and prints the closing line.
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const [reports, failedSteps, ...suites] = process.argv.slice(2);
/** Of a failure, so that all of them stand in the end of the output that is kept. */
const REASON_LINES = 4;
const REASON_LENGTH = 300;
const OURS = /^at (?!.*node_modules).*\/(?:test|src)\//;

let passed = 0;
let failed = 0;
const failures = [];
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
  failures.push(...failuresOf(suite, report));
}
for (const failure of failures) console.log(failure);
failed = Math.max(failed, Number(failedSteps));
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** What failed, a line or two each, so that it stands at the end of a long output. */
function failuresOf(suite, { testResults }) {
  const tests = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    // A file that cannot be loaded has no test that failed.
    if (failed.length === 0 && status === 'failed') return [{ name, fullName: '', failureMessages: [message] }];
    return failed.map(({ fullName, failureMessages }) => ({ name, fullName, failureMessages }));
  });
  return tests.map(({ name, fullName, failureMessages }) => {
    const lines = (failureMessages[0] ?? '').split('\n').map((line) => line.trim());
    const place = lines.find((line) => OURS.test(line)) ?? '';
    const reason = lines.slice(0, REASON_LINES).filter((line) => !line.startsWith('at '));
    return `FAILED ${suite}: ${relative(process.cwd(), name)} > ${fullName}\n  ${reason.join('\n  ').slice(0, REASON_LENGTH)}\n  ${place}`;
  });
}
