import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasEngine, isolations } from '../../test/support/runner/run.ts';
import { keptStates } from './index.ts';
import { JobDirectory } from './job-directory.ts';

const AGENT = new URL('../../test/support/runner/agent.ts', import.meta.url).pathname;

describe.skipIf(!hasEngine).each(isolations.map(({ name }) => ({ name })))(
  'an agent that is killed, isolation $name (needs terraform)',
  ({ name }) => {
    test('leaves the state of its apply, which the next agent keeps', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'agent-'));
      const mark = `${name === 'none' ? 5 : 6}0${process.pid}`;
      const main = `
resource "terraform_data" "first" {}
resource "terraform_data" "second" {
  depends_on = [terraform_data.first]
  provisioner "local-exec" { command = "echo n''ow; sleep ${mark}" }
}`;
      const agent = spawn(process.execPath, [AGENT, folder, name, main], { stdio: ['ignore', 'pipe', 'inherit'] });
      const ended = new Promise((done) => agent.once('close', done));
      let log = '';
      for await (const bytes of agent.stdout) {
        log += bytes;
        if (log.includes('now')) agent.kill('SIGKILL');
      }
      await ended;
      const [kept, ...others] = await keptStates(folder);
      expect(others).toEqual([]);
      expect(readFileSync(kept?.path ?? '', 'utf8')).toContain('"name": "first"');
      expect(readdirSync(join(folder, 'runs'))).toEqual([]);
      const left = (): string[] =>
        execFileSync('ps', ['-eo', 'pid,args'])
          .toString()
          .split('\n')
          .filter((line) => line.includes(mark));
      // Without a sandbox its child processes continue; in a sandbox they end with it.
      if (name !== 'none') await expect.poll(left, { timeout: 10_000 }).toEqual([]);
      for (const line of left()) kill(Number.parseInt(line, 10));
    });
  },
);

test('read-only folders are removed too', async () => {
  const base = mkdtempSync(join(tmpdir(), 'agent-'));
  const directory = await JobDirectory.open(base, 'run-1', 'network');
  mkdirSync(join(directory.hostFolders.home, 'cache', 'deep'), { recursive: true });
  chmodSync(join(directory.hostFolders.home, 'cache'), 0o500);
  await directory.remove();
  expect(existsSync(directory.root)).toBe(false);
  expect(await keptStates(base)).toEqual([]);
  await expect(JobDirectory.open(base, '../x', 'network')).rejects.toThrow('id of the run is invalid');
});

test('a state that cannot be moved stays where it is, until the next agent keeps it', async () => {
  const base = mkdtempSync(join(tmpdir(), 'agent-'));
  const directory = await JobDirectory.open(base, 'run-1', 'network');
  const bytes = Buffer.from('{"version":4,"serial":3,"lineage":"l","resources":[]}');
  directory.markApplying();
  writeFileSync(join(directory.hostFolders.state, 'terraform.tfstate'), bytes);
  // A folder without write permission has the effect of a full disk.
  mkdirSync(join(base, 'kept', 'run-1.tfstate.begun'), { recursive: true });
  const path = directory.keep({ serial: 3, lineage: 'l', bytes });
  await directory.remove();
  expect(readFileSync(path)).toEqual(bytes);
  rmdirSync(join(base, 'kept', 'run-1.tfstate.begun'));
  const [kept] = await keptStates(base);
  expect(readFileSync(kept?.path ?? '')).toEqual(bytes);
  expect(existsSync(directory.root)).toBe(false);
});

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process ended meanwhile.
  }
}
