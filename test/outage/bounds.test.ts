import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeEngine } from '../support/runner/fake-engine.ts';
import { Installation } from '../support/runner/installation.ts';
import { isolations } from '../support/runner/run.ts';

const BOUNDS = ['--job-memory', '192', '--job-processes', '60', '--job-disk', '16', '--job-files', '100'];

describe.each(isolations.map(({ name }) => name))(
  'what a job takes, with isolation %s',
  { timeout: 120_000 },
  (name) => {
    let installation: Installation;
    beforeAll(async () => {
      installation = await Installation.start();
    });
    afterAll(() => installation.stop());

    /** Runs a plan that fails, and returns its log. Checks that the agent survives. */
    const logOf = async (script: string): Promise<string> => {
      const engine = writeEngine(installation.folder, script);
      const place = [
        '--engine',
        engine,
        '--token-file',
        installation.tokenFile,
        '--isolation',
        name,
        '--network',
        'host',
      ];
      const agent = installation.agent([...place, ...BOUNDS]);
      const run = await installation.run(await installation.workspace(), { 'main.tf': '' });
      await installation.until(run, 'errored');
      agent.signal('SIGTERM');
      expect((await agent.ended()).code).toBe(0);
      return await installation.logOf(run, 'plan');
    };
    const hit = (setting: string, amount: string): string =>
      `Error: The run used more than the ${amount} that a job may use here (${setting} of the agent), so the agent stopped it`;

    test('is ended with too much memory, in several processes', async () => {
      const log = await logOf(`
for n in 1 2 3 4; do { head -c 100000000 /dev/zero; sleep 60; } | tail & done
wait; echo survived`);
      expect(log).toContain(hit('job_memory', '192 MiB of memory'));
      expect(log).not.toContain('survived');
    });

    test.skipIf(process.arch !== 'x64')('is ended with too much memory that is shared with nobody', async () => {
      const mmap = 'syscall(9, 0, 150 << 20, 3, 0x21, -1, 0)';
      const taking = `open Z, "</dev/zero"; syscall(0, fileno(Z), ${mmap}, 150 << 20); sleep 60`;
      const log = await logOf(`perl -e '${taking}' & perl -e '${taking}' & wait; echo survived`);
      expect(log).toContain(hit('job_memory', '192 MiB of memory'));
      expect(log).not.toContain('survived');
    });

    test('has the memory that its processes share once', async () => {
      const log = await logOf(`perl -e '$x = "x" x 100_000_000; fork; fork; sleep 3'; sleep 3; echo survived`);
      expect(log).toContain('survived');
    });

    test('is refused memory in one process', async () => {
      const log = await logOf(`head -c 400000000 /dev/zero | tail | wc -c; echo survived`);
      expect(log).toMatch(/memory exhausted|job_memory/);
    });

    test('is ended with too many processes', async () => {
      const log = await logOf(`
n=0; while [ $n -lt 100 ]; do sleep 60 & n=$((n + 1)); done
wait; echo survived`);
      expect(log).toContain(hit('job_processes', '60 processes and threads'));
      expect(log).not.toContain('survived');
    });

    test('is refused processes that it starts faster than anybody can look', async () => {
      const log = await logOf(
        `bomb() { [ $1 = 0 ] && exec sleep 2; bomb $(($1 - 1)) & bomb $(($1 - 1)) & wait; }; bomb 8 2>/dev/null; exit 1`,
      );
      expect(log).toContain(hit('job_processes', '60 processes and threads'));
    });

    test('is ended with too much disk: one file, many files, and files without a name', async () => {
      const reason = hit('job_disk', '16 MiB of disk');
      expect(await logOf('head -c 40000000 /dev/zero >large; [ $(stat -c %s large) -lt 20000000 ]')).toContain(reason);
      expect(await logOf('for n in 1 2 3; do head -c 8000000 /dev/zero >$n; done; sleep 60')).toContain(reason);
      const unnamed = '{ rm 1 2 3; for n in 1 2 3; do head -c 8000000 /dev/zero >&$((n + 3)); done; sleep 60; }';
      // Shell redirections only accept one-digit file descriptors.
      const opened = unnamed.replace('>&$((n + 3))', '>/proc/self/fd/$((n + 3))');
      expect(await logOf(`touch 1 2 3; ${opened} 4>1 5>2 6>3`)).toContain(reason);
    });

    test('has the files without a name that its processes share once', async () => {
      const log = await logOf(`
touch shared; exec 9<>shared; rm shared; head -c 8000000 /dev/zero >&9
for n in 1 2 3 4 5; do sleep 2 & done; wait; echo survived`);
      expect(log).toContain('survived');
    });

    test('is refused files beyond those it may have open', async () => {
      expect(await logOf('ulimit -n; ulimit -c')).toMatch(/^100\n0$/m);
    });
  },
);

describe.skipIf(isolations.length < 2)('the folders in memory of a sandbox (needs bwrap)', { timeout: 60_000 }, () => {
  test('are as large as they are said to be', async () => {
    const installation = await Installation.start();
    const script = 'df -Pm /dev/shm /tmp; touch /dev/x; echo >/dev/null && echo "null is there"; touch /dev/shm/y';
    const engine = writeEngine(installation.folder, script);
    const agent = installation.agent(['--engine', engine, '--token-file', installation.tokenFile, '--network', 'host']);
    const run = await installation.run(await installation.workspace(), { 'main.tf': '' });
    await installation.until(run, 'errored');
    const log = await installation.logOf(run, 'plan');
    expect(log).toMatch(/tmpfs\s+64\s.*\/dev\/shm$/m);
    expect(log).toMatch(/tmpfs\s+1024\s.*\/tmp$/m);
    expect(log).toMatch(/'\/dev\/x': Read-only file system/);
    expect(log).toContain('null is there');
    expect(log).not.toMatch(/\/dev\/shm\/y/);
    agent.signal('SIGKILL');
    await installation.stop();
  });
});
