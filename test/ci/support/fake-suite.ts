import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../../.ci/process.ts';
import { failuresOf, type Report, readReport } from '../../../.ci/report.ts';
import { type FailedTest, rerunAll } from '../../../.ci/rerun.ts';
import { REPORTER, type Suite } from '../../../.ci/suites.ts';

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const HEAD = `import { existsSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
`;

/** Suite of which nothing runs. */
export const FAKE: Suite = { name: 'fake', command: 'vitest run --config fake.config.mjs more/tests' };

/** Code that runs `statement` the first time only. `name` distinguishes the places. */
export const once = (name: string, statement = `throw new Error('for the first time')`): string =>
  `if (!existsSync('${name}.seen')) { writeFileSync('${name}.seen', ''); ${statement}; }`;

export interface FakeRun {
  readonly report: Report | undefined;
  readonly failures: readonly FailedTest[];
  readonly passedAgain: ReadonlySet<FailedTest>;
}

/** Runs Vitest on these test files, and then the failed tests, as `.ci/run` does. */
export async function runSuite(files: Readonly<Record<string, string>>): Promise<FakeRun> {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-fake-suite-'));
  try {
    symlinkSync(MODULES, join(folder, 'node_modules'));
    const config = `export default { test: { include: ['*.test.mjs'], maxWorkers: 2 } };`;
    writeFileSync(join(folder, 'fake.config.mjs'), config);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, `${name}.test.mjs`), HEAD + text);
    const place = join(folder, 'fake');
    const argv = ['vitest', 'run', '--config', 'fake.config.mjs', `--reporter=${REPORTER}`];
    const code = await run({ argv, log: `${place}.log`, env: { CI_REPORT: `${place}.json` }, cwd: folder });
    const report = readReport(`${place}.json`);
    const failures = failuresOf(report, code).map((failure) => ({ suite: FAKE, failure }));
    return { report, failures, passedAgain: await rerunAll(failures, folder, folder) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
