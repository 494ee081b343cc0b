import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Installation } from '../../support/runner/installation.ts';
import { hashOf, lockFile, PRETENDED } from '../../support/runner/pretended-providers.ts';
import { isolations } from '../../support/runner/run.ts';

const HONEST = { provider: 'thing', 'main.tf': '', ...lockFile('thing', hashOf('thing', 'good')) };
const PLAN_ONLY = { 'plan-only': true };

describe.each(isolations)('lockkeeper agent --provider-cache, isolation $name', { timeout: 120_000 }, ({ name }) => {
  let installation: Installation;
  let agent: ReturnType<Installation['agent']>;
  // A sandbox has its own /tmp.
  const cache = mkdtempSync('/var/tmp/cache-');
  beforeAll(async () => {
    installation = await Installation.start();
    const engine = join(installation.folder, 'terraform');
    writeFileSync(engine, `#!/bin/sh\n${PRETENDED}`, { mode: 0o755 });
    const args = ['--slots', '3', '--isolation', name, '--engine', engine, '--provider-cache', cache];
    agent = installation.agent(['--token-file', installation.tokenFile, ...args, '--provider-cache-size', '1024']);
  });
  afterAll(async () => {
    await installation.stop();
    rmSync(cache, { recursive: true });
  });

  const planned = async (files: Readonly<Record<string, string>>): Promise<string> => {
    const run = await installation.run(await installation.workspace(), files, PLAN_ONLY);
    await installation.until(run, 'planned_and_finished');
    return await installation.logOf(run, 'plan');
  };

  test('a run neither replaces the provider of another workspace, nor makes it wait', async () => {
    expect(await planned(HONEST)).toMatch(/thing: fetched\nthing: good\n/);
    const others = `${join(cache, 'packages')}/*/terraform-provider-thing`;
    const script = `
for one in "$program" ${others}; do chmod u+w "$one"; printf evil >>"$one"; done
ln -sf /etc/hostname '${cache}/agent.lock'; ln -sf /etc/hostname "$TF_PLUGIN_CACHE_DIR/agent.lock"
echo replaced; sleep 600 & wait`;
    const hostile = await installation.workspace();
    const slow = await installation.run(hostile, { ...HONEST, 'init.sh': script }, PLAN_ONLY);
    await installation.untilLogged(slow, 'plan', 'replaced');
    const logs = await Promise.all([planned(HONEST), planned(HONEST)]);
    for (const log of logs) expect(log).toMatch(/thing: (fetched|from the cache)\nthing: good\n/);
    expect(await installation.statusOf(slow)).toBe('planning');
    if (name === 'bubblewrap') {
      expect(logs.join()).not.toContain('fetched');
      expect(readdirSync(cache).sort()).toEqual(['cache.lock', 'moving', 'packages']);
    }
    await installation.user('POST', `/runs/${slow}/actions/cancel`, {});
    await installation.until(slow, 'canceled');
    for (const one of readdirSync(join(cache, 'packages')))
      expect(readFileSync(join(cache, 'packages', one, 'terraform-provider-thing'), 'latin1')).toMatch(/good$/);
    agent.signal('SIGTERM');
    expect((await agent.ended()).code).toBe(0);
  });
});
