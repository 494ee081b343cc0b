import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Command } from '../../support/command.ts';
import { Installation } from '../../support/runner/installation.ts';
import { hasEngine, isolations } from '../../support/runner/run.ts';
import { smallDisks } from '../../support/small-disk.ts';

const ENGINE = { LOCKKEEPER_ENGINE: '/usr/local/bin/terraform' };
const SECRET = 'of-the-environment-of-the-agent';
const MEGABYTE = 1_048_576;
const inSandbox = isolations.some(({ name }) => name === 'bubblewrap');

/** A configuration whose apply runs a script. */
const running = (script: string): Record<string, string> => ({
  script,
  'main.tf': `
resource "terraform_data" "a" {
  provisioner "local-exec" { command = "sh ./script" }
}
`,
});

/** Peak memory of a process, bytes. */
function peakOf({ process }: Command): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${process.pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

/** Lines that a provisioner has printed. */
const saidIn = (log: string): string[] =>
  log
    .split('\n')
    .filter((line) => line.includes('"provision_progress"'))
    .map((line) => JSON.parse(line).hook.output);

/** `socket:[172149]` */
function socketsOf({ process }: Command): string[] {
  const folder = `/proc/${process.pid}/fd`;
  return readdirSync(folder).flatMap((fd) => {
    const target = readlinkSync(join(folder, fd), { encoding: 'utf8' });
    return target.startsWith('socket:') ? [target] : [];
  });
}

describe('hostile engines and configurations', { timeout: 120_000 }, () => {
  let installation: Installation;
  beforeAll(async () => {
    installation = await Installation.start();
  });
  afterAll(() => installation.stop());

  const started: Command[] = [];
  afterEach(async () => {
    for (const agent of started.splice(0)) {
      agent.signal('SIGKILL');
      await agent.ended();
    }
  });

  const start = (args: readonly string[] = [], environment = {}, within: readonly string[] = []): Command => {
    const agent = installation.agent(['--token-file', installation.tokenFile, ...args], environment, within);
    started.push(agent);
    return agent;
  };
  const end = async (agent: Command): Promise<void> => {
    agent.signal('SIGTERM');
    expect((await agent.ended()).code).toBe(0);
  };

  test('an engine that prints a gigabyte in one line uses no memory of the agent, and the run continues', async () => {
    const engine = join(installation.folder, 'terraform');
    const script = `#!/bin/sh
case $1 in
  version) echo 'Terraform v1.11.4';;
  plan) head -c 1073741824 /dev/zero | tr '\\0' x; exit 1;;
esac
`;
    writeFileSync(engine, script, { mode: 0o755 });
    const agent = start(['--engine', engine, '--isolation', 'none']);
    const run = await installation.run(await installation.workspace(), { 'main.tf': '' });
    await installation.until(run, 'errored');
    const log = await installation.logOf(run, 'plan');
    expect(log.length).toBeLessThan(16 * MEGABYTE + 1000);
    expect(log.slice(-1000)).toMatch(/x\nThe log is truncated here, after \d+ bytes\. The run continues\.\n/);
    expect(peakOf(agent)).toBeLessThan(300 * MEGABYTE);
    await end(agent);
  });

  test.skipIf(!hasEngine || !inSandbox)(
    'a provisioner finds no data of its agent (needs terraform, bwrap)',
    async () => {
      const agent = start([], { ...ENGINE, AGENT_SECRET: SECRET });
      const run = await installation.run(
        await installation.workspace(),
        running(`cat /proc/*/environ | tr '\\0' '\\n' | grep -c ${SECRET}
cat '${installation.tokenFile}'
ls -d /proc/${agent.process.pid} '${installation.folder}'
readlink /proc/*/fd/* | sort -u
for fd in 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do sh -c "echo GET / >/proc/self/fd/$fd" 2>/dev/null; done
echo end`),
      );
      await installation.until(run, 'applied');
      const log = await installation.logOf(run, 'apply');
      const said = saidIn(log);
      expect(said).toContain('0');
      expect(said.filter((line) => line.endsWith('No such file or directory'))).toHaveLength(3);
      expect(log).not.toContain('lka.');
      expect(log).not.toContain(SECRET);
      expect(said).toContain('end');
      // The pipe to print to ends at the agent, but is not one of its connections.
      const sockets = socketsOf(agent);
      expect(sockets.length).toBeGreaterThan(0);
      for (const socket of sockets) expect(log).not.toContain(socket);
      await end(agent);
    },
  );

  test.skipIf(!hasEngine || !smallDisks)(
    'a full disk is reported, and the agent survives (needs terraform)',
    async () => {
      const folder = join(installation.folder, 'small');
      mkdirSync(folder);
      const mount = `mount -t tmpfs -o size=8m tmpfs '${folder}' && exec "$@"`;
      const within = [...(smallDisks ?? []), 'sh', '-c', mount, 'sh'];
      const agent = start(['--folder', folder, '--isolation', 'none'], ENGINE, within);
      const workspace = await installation.workspace();
      const large = await installation.run(workspace, { 'main.tf': '', large: 'x'.repeat(16 * MEGABYTE) });
      await installation.until(large, 'errored');
      expect(await installation.logOf(large, 'plan')).toMatch(/The disk of the agent is full\. Free some space.*\s*$/);

      // Resources that were applied before the disk was full are in the state.
      const filling = await installation.run(workspace, {
        'main.tf': `
resource "terraform_data" "first" {}
resource "terraform_data" "second" {
  depends_on = [terraform_data.first]
  provisioner "local-exec" { command = "head -c 16000000 /dev/zero >filler; echo full" }
}
`,
      });
      await installation.until(filling, 'errored', 'applied');
      const log = await installation.logOf(filling, 'apply');
      expect(log).toContain('full');
      expect(JSON.stringify(await installation.stateOf(workspace)), log).toContain('"first"');

      const next = await installation.run(await installation.workspace(), { 'main.tf': '' });
      await installation.until(next, 'planned_and_finished');
      await end(agent);
    },
  );
});
