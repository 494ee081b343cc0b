import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { Output } from './output.ts';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'lockkeeper-output-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

test('lines of several processes stay whole, however they come', async () => {
  const file = join(folder(), 'out');
  const descriptor = openSync(file, 'w');
  const output = new Output(descriptor);
  const [one, other] = [new PassThrough(), new PassThrough()];
  output.follow(one);
  output.follow(other);
  const long = 'x'.repeat(100_000);
  one.write(`one begins ${long}`);
  other.write('other\nother again');
  one.write(' and ends\none more\n');
  output.write('between\n');
  other.end(' ends');
  one.end();
  await new Promise((resolve) => setImmediate(resolve));
  await expect.poll(() => readFileSync(file, 'utf8').split('\n').length, { timeout: 10_000 }).toBe(6);
  await output.flush();
  closeSync(descriptor);
  const lines = readFileSync(file, 'utf8').split('\n');
  expect(lines.sort()).toEqual(
    ['', 'between', `one begins ${long} and ends`, 'one more', 'other', 'other again ends'].sort(),
  );
});

test('who writes waits for a reader that is slow, and loses nothing', async () => {
  const pipe = join(folder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const reader = await open(pipe, 'r+');
  const writer = await open(pipe, 'w');
  const output = new Output(writer.fd);
  const source = new PassThrough();
  output.follow(source);
  const line = `${'y'.repeat(9_999)}\n`;
  const lines = 400;
  for (let n = 0; n < lines; n++) source.write(line);
  await expect.poll(() => source.isPaused(), { timeout: 10_000 }).toBe(true);
  let read = 0;
  const buffer = Buffer.alloc(65_536);
  while (read < lines * line.length) read += (await reader.read(buffer, 0, buffer.length)).bytesRead;
  expect(read).toBe(lines * line.length);
  await output.flush();
  expect(source.isPaused()).toBe(false);
  await Promise.all([reader.close(), writer.close()]);
});

test('a writer gets an error when the reader is gone', async () => {
  const file = join(folder(), 'closed');
  const descriptor = openSync(file, 'w');
  closeSync(descriptor);
  const output = new Output(descriptor);
  const source = new PassThrough();
  output.follow(source);
  source.write('lost\n');
  await output.flush();
  source.write('lost too\n');
  await expect.poll(() => source.destroyed, { timeout: 10_000 }).toBe(true);
});
