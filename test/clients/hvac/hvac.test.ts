import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Case, reportCases } from '../support/cases.ts';
import { installed } from '../support/installation.ts';
import { run } from '../support/run.ts';

const HERE = import.meta.dirname;
/** pytest names cases by the real paths of their files. */
const ROOT = realpathSync(installed.hvac);

/** hvac's own integration tests, and some of ours, each class against its own server. */
async function runHvac(): Promise<Case[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-hvac-'));
  try {
    const casesFile = join(folder, 'cases');
    const options = ['-c', join(HERE, 'pytest.ini'), '--rootdir', ROOT, '--quiet'];
    const { code, stdout, stderr } = await run(
      'venv/bin/python',
      ['-m', 'pytest', ...options, 'tests/integration_tests', HERE],
      {
        cwd: ROOT,
        env: {
          CASES_FILE: casesFile,
          TMPDIR: folder,
          PATH: [join(HERE, 'bin'), process.env.PATH].join(delimiter),
          PYTHONPATH: [ROOT, HERE].join(delimiter),
          PYTHONDONTWRITEBYTECODE: '1',
        },
      },
    );
    // 0: all passed, 1: some failed. Any other code: the tests could not run.
    if (code !== 0 && code !== 1) throw new Error(`pytest ended with ${code}:\n${stdout}\n${stderr}`);
    const lines = readFileSync(casesFile, 'utf8').trim().split('\n');
    return lines.map((line): Case => JSON.parse(line));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

reportCases('hvac', await runHvac());
