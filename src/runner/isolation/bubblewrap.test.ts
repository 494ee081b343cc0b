import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scripted } from '../../../test/support/runner/engine.ts';
import { executeTrial, isolations, type Outcome, type Trial } from '../../../test/support/runner/run.ts';
import { findBubblewrap } from './probe.ts';

const isolation = isolations.find(({ name }) => name === 'bubblewrap');

/** Returns the output of a script that runs as the engine. */
async function inside(script: string, trial: Trial = {}): Promise<Outcome> {
  const { engines, engine } = scripted(`[ "$1" = init ] && exit 0\n${script}\nexit 1`);
  const job = { ...trial.job, engine };
  return await executeTrial({
    files: { 'main.tf': '' },
    ...trial,
    ...(isolation && { isolation }),
    job,
    parts: { engines },
  });
}

describe.skipIf(isolation === undefined)('an engine in its sandbox (needs bwrap)', () => {
  const NAME = 'LOCKKEEPER_TEST_ENVIRONMENT';
  beforeAll(() => {
    process.env[NAME] = 'seen-by-the-engine';
  });
  afterAll(() => {
    delete process.env[NAME];
  });

  test('sees only its own environment, not that of the agent', async () => {
    const secret = {
      key: 'TOKEN',
      value: 'told-to-the-engine',
      category: 'env' as const,
      hcl: false,
      sensitive: false,
    };
    const { log } = await inside(
      'for file in /proc/*/environ; do echo "$file: $(tr "\\0" " " <$file)"; done; echo "1: $(tr "\\0" " " </proc/1/cmdline)"; echo "own: $(env | sort | tr "\\n" " ")"',
      { job: { variables: [secret] } },
    );
    expect(log).not.toContain('seen-by-the-engine');
    expect(log).toContain('/proc/1/environ: \n');
    expect(/^1: .*$/m.exec(log)?.[0]).not.toContain('told-to-the-engine');
    const own = /^own: (.*)$/m.exec(log)?.[1] ?? '';
    const names = own.split(' ').map((one) => one.split('=')[0]);
    expect(names.filter((name) => !name?.startsWith('TF'))).toEqual(
      expect.arrayContaining(['CHECKPOINT_DISABLE', 'HOME', 'LANG', 'PATH', 'TOKEN', 'USER']),
    );
    expect(own).not.toContain(NAME);
  });

  test('sees no processes of the machine, and no files except those of the system', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'secret-'));
    writeFileSync(join(folder, 'key'), 'a-key-of-the-agent');
    const { log } = await inside(
      `cat ${folder}/key; ls -d /proc/[0-9]* | wc -l; ls /root /home /var /etc/shadow; echo x >/usr/x; echo x >/etc/x; echo x >../told/x; id -u; grep CapEff /proc/self/status; ls /proc/self/fd`,
    );
    expect(log).not.toContain('a-key-of-the-agent');
    expect(Number(/^\d+$/m.exec(log)?.[0])).toBeLessThan(10);
    for (const path of ['/root', '/home', '/var', '/etc/shadow']) {
      expect(log).toMatch(new RegExp(`${path}'?: No such file`));
    }
    expect(log.match(/Read-only file system/g)).toHaveLength(3);
    expect(log).toMatch(/^CapEff:\s*0+$/m);
    expect(log).toMatch(/^1000$/m);
    // No descriptors of the agent are inherited: 3 is that of `ls` itself.
    expect(
      log
        .split('\n')
        .filter((line) => /^\d\d?$/.test(line))
        .slice(-4),
    ).toEqual(['0', '1', '2', '3']);
  });

  test('ends together with all processes that it started', async () => {
    const mark = String(300_000 + process.pid);
    const { end } = await inside(`setsid sleep ${mark} >/dev/null 2>&1 </dev/null & sleep 0.2`);
    expect(end).toMatchObject({ kind: 'finished', exit: 1 });
    expect(execFileSync('ps', ['-eo', 'args']).toString()).not.toContain(`sleep ${mark}`);
  });

  test('cannot place a link where the agent writes or reads', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'victim-'));
    const victim = join(folder, 'state');
    writeFileSync(victim, '{"serial":1,"lineage":"stolen"}');
    const { engines, engine } = scripted(
      `case $1 in plan) echo x >../plan/tfplan; ln -s / ../plan/place; ln -s / out; exit 2;; show) echo '{}';; providers) echo '{}';; apply) ln -s ${victim} $(echo ../states/*)/terraform.tfstate;; esac`,
    );
    const trial = { files: { 'main.tf': '' }, ...(isolation && { isolation }), job: { engine }, parts: { engines } };
    const plan = await executeTrial(trial);
    expect(plan.end, plan.log).toMatchObject({ exit: 0, hasChanges: true });
    const apply = await executeTrial({ ...trial, folder: plan.folder, job: { engine, phase: 'apply' } });
    const reason = expect.stringMatching(/^The engine left an incomplete state.*No file is kept$/);
    expect(apply.end, apply.log).toEqual({ kind: 'failed', reason });
    expect(apply.states).toEqual([]);
    expect(readFileSync(victim, 'utf8')).toContain('stolen');
  });
});

test('without a sandbox the error says what to do', async () => {
  await expect(findBubblewrap('/nonexistent', null)).rejects.toThrow('Install it, or set isolation to none');
  const folder = mkdtempSync(join(tmpdir(), 'bin-'));
  writeFileSync(
    join(folder, 'bwrap'),
    '#!/bin/sh\necho "bwrap: no permissions to create a new namespace" >&2\nexit 1\n',
    {
      mode: 0o755,
    },
  );
  await expect(findBubblewrap(folder, null)).rejects.toThrow(
    /does not work on this machine: bwrap: no permissions.* set isolation to none/,
  );
});
