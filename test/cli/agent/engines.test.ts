import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { writeEngine } from '../../support/runner/fake-engine.ts';
import { Installation } from '../../support/runner/installation.ts';
import { engineScript, type ReleaseServer, startReleases } from '../../support/runner/releases.ts';

const MAIN = { 'main.tf': '' };
const temporary = (): string => mkdtempSync(join(tmpdir(), 'engines-'));

/** A folder of engines that print their version and can do nothing else. */
function folderWith(...versions: readonly string[]): string {
  const folder = temporary();
  for (const version of versions) {
    const place = join(folder, 'opentofu', version);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'tofu'), engineScript('opentofu', version), { mode: 0o755 });
  }
  return folder;
}

describe('which engine a run gets', { timeout: 120_000 }, () => {
  let installation: Installation | undefined;
  let releases: ReleaseServer | undefined;
  afterEach(async () => {
    await installation?.stop();
    await releases?.close();
    [installation, releases] = [undefined, undefined];
  });

  /** Settings that download from a server which has only this release. */
  async function downloadsOf(version: string) {
    releases = await startReleases();
    releases.publish('opentofu', version);
    const key = join(temporary(), 'key.asc');
    writeFileSync(key, releases.key);
    return { mirror: releases.base, key, asked: releases.asked };
  }

  /** Returns the log of a plan in a new workspace, once it is finished. */
  async function planLog(here: Installation, attributes: object): Promise<string> {
    const run = await here.run(await here.workspace(attributes), MAIN);
    await here.until(run, 'errored', 'planned_and_finished');
    return here.logOf(run, 'plan');
  }

  const remote = { 'execution-mode': 'remote', 'agent-pool-id': undefined, engine: 'opentofu' };
  const embedded = (settings: string): string =>
    `execution: embedded, embedded_agent: { isolation: none, directory: agent${settings} }`;

  test('LOCKKEEPER_ENGINE names the engine of the agent that a server starts itself', async () => {
    const engine = writeEngine(temporary(), "echo 'the named engine plans'");
    installation = await Installation.start(embedded(''), { LOCKKEEPER_ENGINE: engine });
    const log = await planLog(installation, { ...remote, 'engine-version': '1.10.7' });
    expect(log).toMatch(/^Terraform v1\.11\.4/m);
    expect(log).toContain('the named engine plans');
  });

  test('LOCKKEEPER_ENGINE goes over the file of the server', async () => {
    const [first, second] = ['first', 'second'].map((name) => writeEngine(temporary(), `echo 'the ${name} plans'`));
    installation = await Installation.start(embedded(`, engine: ${first}`), { LOCKKEEPER_ENGINE: second ?? '' });
    expect(await planLog(installation, remote)).toContain('the second plans');
  });

  test('the agent that a server starts itself downloads from the mirror in its settings', async () => {
    const { mirror, key } = await downloadsOf('1.10.10');
    const downloads = `engine_downloads: true, engine_mirrors: { opentofu: "${mirror}" }, engine_keys: { opentofu: ${key} }`;
    installation = await Installation.start(embedded(`, ${downloads}`));
    expect(await planLog(installation, { ...remote, 'engine-version': '~> 1.10.0' })).toMatch(/^OpenTofu v1\.10\.10/m);
  });

  test('a constraint takes what the agent has, and downloads nothing', async () => {
    const { mirror, key, asked } = await downloadsOf('1.10.10');
    installation = await Installation.start();
    const file = join(temporary(), 'agent.yaml');
    writeFileSync(
      file,
      `address: ${installation.address}
isolation: none
engines: ${folderWith('1.9.4', '1.10.7')}
engine_mirrors: { opentofu: "${mirror}" }
engine_keys: { opentofu: ${key} }
`,
    );
    installation.agent(['--config', file, '--token-file', installation.tokenFile]);
    const log = (version: string) =>
      planLog(installation as Installation, { engine: 'opentofu', 'engine-version': version });
    expect(await log('~> 1.10.0')).toMatch(/^OpenTofu v1\.10\.7/m);
    expect(await log('>= 1.9.0, < 1.10')).toMatch(/^OpenTofu v1\.9\.4/m);
    expect(asked).toEqual([]);
    // The mirror has none of these versions.
    expect(await log('~> 1.10.8')).toMatch(/^OpenTofu v1\.10\.10/m);
    expect(asked).not.toEqual([]);
  });

  test('a run that invokes actions fails before its plan if the engine cannot invoke them', async () => {
    installation = await Installation.start();
    const from = ['--isolation', 'none', '--engines', folderWith('1.10.7')];
    installation.agent([...from, '--token-file', installation.tokenFile]);
    const workspace = await installation.workspace({ engine: 'opentofu', 'engine-version': '1.10.7' });
    const run = await installation.run(workspace, MAIN, { 'invoke-action-addrs': ['action.a.b'] });
    await installation.until(run, 'errored');
    const log = await installation.logOf(run, 'plan');
    expect(log).toContain('OpenTofu 1.10.7 cannot invoke actions, and this run invokes action.a.b');
    expect(log).toContain('Set the engine of the workspace to Terraform 1.14 or later');
  });

  test('a run goes to an agent of the pool that has an engine for it', async () => {
    installation = await Installation.start();
    const agentWith = (version: string) => [
      ...['--isolation', 'none', '--token-file', (installation as Installation).tokenFile],
      ...['--engine-downloads', 'false', '--engines', folderWith(version)],
    ];
    for (const version of ['1.8.11', '1.9.4', '1.10.7']) installation.agent(agentWith(version));
    const agents = async () =>
      (await installation?.user('GET', `/agent-pools/${installation.pool}/agents`))?.body.data ?? [];
    await expect.poll(async () => (await agents()).length, { timeout: 60_000 }).toBe(3);
    for (const [constraint, version] of [
      ['~> 1.9.0', '1.9.4'],
      ['~> 1.10.0', '1.10.7'],
      ['~> 1.8.0', '1.8.11'],
    ] as const) {
      const log = await planLog(installation, { engine: 'opentofu', 'engine-version': constraint });
      expect(log.startsWith(`OpenTofu v${version}`), log).toBe(true);
    }
    const log = await planLog(installation, { engine: 'opentofu', 'engine-version': '~> 1.11.0' });
    expect(log).toContain('This agent does not have a release of OpenTofu that satisfies ~> 1.11.0');
  });
});
