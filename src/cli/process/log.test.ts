import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { openLog } from './log.ts';

function emptyFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'log');
}

const messages = (text: string): unknown[] => {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => (JSON.parse(line) as { msg: unknown }).msg);
};

test('lines are written in order, without anybody asking for it', async () => {
  const path = emptyFile();
  const { logger } = openLog('info', path);
  const expected = Array.from({ length: 2_000 }, (_, i) => `line ${i}`);
  for (const line of expected) logger.info(line);
  await expect.poll(() => messages(readFileSync(path, 'utf8')), { timeout: 10_000 }).toEqual(expected);
});

test.each([
  ['comes to its end', ''],
  ['is ended', 'process.exit(0);'],
  ['flushes and is ended', 'log.flush(); process.exit(0);'],
  ['crashes', 'throw new Error("a bug");'],
])('no line is lost when the process %s', async (_name, end) => {
  const module = JSON.stringify(new URL('./log.ts', import.meta.url).href);
  const program = `import { openLog } from ${module}; const log = openLog('info'); log.logger.info('last'); ${end}`;
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  expect(messages(stdout)).toEqual(['last']);
});
