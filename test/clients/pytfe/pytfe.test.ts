import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Case, reportCases } from '../support/cases.ts';
import { installed } from '../support/installation.ts';
import { run } from '../support/run.ts';
import { startServing } from '../support/serving.ts';

const HERE = import.meta.dirname;

/** Every resource that pytfe supports and the server implements. */
async function runPytfe(): Promise<Case[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-pytfe-'));
  const server = await startServing();
  try {
    const casesFile = join(folder, 'cases');
    const { code, stdout, stderr } = await run(
      'venv/bin/python',
      ['-m', 'pytest', '--quiet', '-p', 'no:cacheprovider', '--rootdir', HERE, HERE],
      {
        cwd: installed.pytfe,
        env: {
          CASES_FILE: casesFile,
          TFE_ADDRESS: server.address,
          TFE_TOKEN: server.userToken,
          SSL_CERT_FILE: server.caFile,
          PYTHONDONTWRITEBYTECODE: '1',
        },
      },
    );
    // 0: all passed, 1: some failed. Any other code: the tests could not run.
    if (code !== 0 && code !== 1) throw new Error(`pytest ended with ${code}:\n${stdout}\n${stderr}`);
    const lines = readFileSync(casesFile, 'utf8').trim().split('\n');
    return lines.map((line): Case => JSON.parse(line));
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

reportCases('pytfe', await runPytfe());
