import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Command } from '../../support/command.ts';
import { writeEngine } from '../../support/runner/fake-engine.ts';
import { Installation } from '../../support/runner/installation.ts';
import { isolations } from '../../support/runner/run.ts';

const inSandbox = isolations.some(({ name }) => name === 'bubblewrap');
/** Folders that only root can write to: a run must not find any file of them. */
const KEYS = '/etc/ssl/private';
const SYSTEM = '/usr/local/share/lockkeeper-test';
const isRoot = process.getuid?.() === 0;

describe.skipIf(!inSandbox || !isRoot)('files of the machine (needs root, bwrap)', { timeout: 120_000 }, () => {
  const key = join(KEYS, `lockkeeper-test-${process.pid}.key`);
  let installation: Installation;
  beforeAll(async () => {
    installation = await Installation.start();
    for (const folder of [KEYS, SYSTEM]) mkdirSync(folder, { recursive: true });
    writeFileSync(key, 'a-private-key', { mode: 0o600 });
  });
  afterAll(async () => {
    rmSync(key, { force: true });
    rmSync(SYSTEM, { recursive: true, force: true });
    await installation.stop();
  });

  test('a run finds certificates, and no private key beside them', async () => {
    const looks = `cat ${key}; find -L /etc/ssl /etc/pki -name '*.key' 2>/dev/null; openssl version -d; ls /etc/ssl; ls -L /etc/ssl/certs | wc -l`;
    const engine = writeEngine(installation.folder, looks);
    const agent = installation.agent(['--engine', engine, '--token-file', installation.tokenFile]);
    const run = await installation.run(await installation.workspace(), { 'main.tf': '' });
    await installation.until(run, 'errored');
    const log = await installation.logOf(run, 'plan');
    expect(log).not.toContain('a-private-key');
    expect(log).toContain(`${key}: No such file or directory`);
    expect(log).not.toMatch(/^private$/m);
    expect(log).toMatch(/^certs$/m);
    agent.signal('SIGTERM');
    await agent.ended();
  });

  test('an agent whose token every run could read does not start', async () => {
    const token = join(SYSTEM, 'token');
    writeFileSync(token, 'lka.x');
    const link = join(mkdtempSync(join(tmpdir(), 'linked-')), 'token');
    symlinkSync(token, link);
    for (const file of [token, link]) {
      const { code, stderr } = await installation.agent(['--token-file', file]).ended();
      expect(code).toBe(1);
      expect(stderr).toContain(
        `${file} is in /usr, which every run can read in its sandbox: move it to a folder such as`,
      );
    }
    const args = ['--token-file', installation.tokenFile, '--folder', join(SYSTEM, 'not-yet', 'agent')];
    expect((await installation.agent(args).ended()).stderr).toContain('not-yet/agent is in /usr');
  });

  test('a server whose keys its own runs could read does not start', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mounted-'));
    const config = join(folder, 'lockkeeper.yaml');
    const started = async (keyring: string, isolation: string, storage = join(folder, 'data')): Promise<string> => {
      writeFileSync(keyring, '{}', { mode: 0o600 });
      writeFileSync(
        config,
        `listeners: [{ address: '127.0.0.1:0', services: [access, workspaces], plain_http: true }]
storage: { type: sqlite, directory: ${storage} }
keyring_file: ${keyring}
workspaces: { execution: embedded, embedded_agent: { isolation: ${isolation} } }
`,
      );
      const { code, stderr } = await new Command(['serve', '--config', config]).ended();
      expect(code).not.toBe(0);
      return stderr;
    };
    const inUsr = /is in \/usr, which every run can read in its sandbox/;
    expect(await started(join(SYSTEM, 'keyring.json'), 'bubblewrap')).toMatch(inUsr);
    expect(await started(join(folder, 'keyring.json'), 'bubblewrap', join(SYSTEM, 'data'))).toMatch(inUsr);
    // Without a sandbox nothing is mounted; the agent then fails later, since the file is not a keyring.
    expect(await started(join(SYSTEM, 'keyring.json'), 'none')).not.toMatch(inUsr);
  });
});
