import { expect, test } from 'vitest';
import { scripted } from '../../../test/support/runner/engine.ts';
import { executeTrial } from '../../../test/support/runner/run.ts';
import { MAX_AGENT_LOG } from '../../lib/job/limits.ts';
import { JobLog } from './job-log.ts';
import { Masking } from './masking.ts';
import { secretForms } from './secret-forms.ts';
import { Summary } from './summary.ts';

function logOf(limit?: number, secrets: string[] = []): { log: JobLog; text(): string } {
  const parts: Uint8Array[] = [];
  const log = new JobLog(async (bytes) => void parts.push(bytes), new Masking(secretForms(secrets)), limit);
  return { log, text: () => Buffer.concat(parts).toString() };
}

test('frame bytes are replaced', async () => {
  const { log, text } = logOf();
  await log.write(Buffer.from('a\u0002b\u0003'));
  expect(text()).toBe('a?b?');
});

test('a log that is too long is truncated once, and lines of the agent follow', async () => {
  const { log, text } = logOf(10);
  await log.write(Buffer.from('12345\n'));
  await log.write(Buffer.from('6789abc\n'));
  await log.write(Buffer.from('more'));
  await log.say('Error: late');
  await log.write(Buffer.from('and more'));
  await log.end();
  expect(text()).toBe('12345\n6789\nThe log is truncated here, after 10 bytes. The run continues.\nError: late\n');
});

test('lines of the agent start on a new line, and secrets in them are masked', async () => {
  const { log, text } = logOf(100, ['hunter22']);
  await log.write(Buffer.from('begins hunt'));
  await log.say('it is hunter22');
  expect(text()).toBe('begins hunt\nit is ***\n');
});

test('a log that cannot be sent does not end the job', async () => {
  const log = new JobLog(async () => {
    throw new Error('gone');
  }, new Masking([]));
  await log.write(Buffer.from('x'));
  await log.say('y');
  expect(log.isLost).toBe(true);
});

test('an engine is not read faster than its log is sent', async () => {
  const { engines, engine } = scripted('[ "$1" = init ] && exit 0; head -c 30000000 /dev/zero | tr "\\0" x; exit 1');
  let length = 0;
  let inHand = 0;
  const { end } = await executeTrial({
    files: { 'main.tf': '' },
    job: { engine },
    parts: { engines },
    outputs: {
      async log(bytes) {
        expect(++inHand).toBe(1);
        await new Promise((done) => setImmediate(done));
        length += bytes.length;
        inHand--;
      },
    },
  });
  // One line, which is truncated; the engine ends as if everything had been read.
  expect(end).toMatchObject({ kind: 'finished', step: 'plan', exit: 1 });
  expect(length).toBeGreaterThan(MAX_AGENT_LOG);
  expect(length).toBeLessThan(MAX_AGENT_LOG + 1000);
});

test.each([
  [
    'Apply complete! Resources: 3 added, 2 changed, 1 destroyed.',
    { additions: 3, changes: 2, destructions: 1, imports: 0 },
  ],
  ['\u001b[1mApply complete! Resources: 4 imported, 3 added, 2 changed, 1 destroyed.', { additions: 3, imports: 4 }],
  ['Destroy complete! Resources: 7 destroyed.', { additions: 0, destructions: 7 }],
  [
    '{"type":"change_summary","changes":{"add":1,"import":0,"change":2,"remove":3,"operation":"apply"}}',
    { destructions: 3 },
  ],
])('the summary of an apply: %s', (line, counts) => {
  for (const size of [1, 7, 1000]) {
    const summary = new Summary();
    const bytes = Buffer.from(`{not json "change_summary"\n${'x'.repeat(100_000)}\n${line}\nafter\n`);
    for (let at = 0; at < bytes.length; at += size) summary.next(bytes.subarray(at, at + size));
    expect(summary.counts).toMatchObject(counts);
  }
});
