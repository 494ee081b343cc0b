import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { leftPlaces, takePlace } from './buffer-places.ts';
import { DiskBuffer } from './disk-buffer.ts';

const MIB = 1_048_576;

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), 'buffer-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'buffer');
}
const line = (n: number, size = 20) => `${JSON.stringify({ n, text: 'ü'.repeat(size) })}\n`;
const files = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
const numbers = (lines: readonly string[]) => lines.map((text) => JSON.parse(text).n);

async function rest(buffer: DiskBuffer, mostBytes = 100_000): Promise<number[]> {
  const found: number[] = [];
  for (;;) {
    const batch = await buffer.read(mostBytes);
    if (!batch) return found;
    found.push(...numbers(batch.lines));
    await buffer.acknowledge(batch);
  }
}

it('gives lines in the order in which they came, and again until they are acknowledged', async () => {
  const buffer = await DiskBuffer.open(place(), MIB);
  for (let n = 0; n < 10; n++) await buffer.append([line(2 * n), line(2 * n + 1)]);
  const first = await buffer.read(3 * Buffer.byteLength(line(0)));
  expect(numbers(first?.lines ?? [])).toHaveLength(3);
  expect((await buffer.read(3 * Buffer.byteLength(line(0))))?.lines).toEqual(first?.lines);
  expect(await rest(buffer)).toEqual(Array.from({ length: 20 }, (_, i) => i));
  expect(buffer.bytes).toBe(0);
  await buffer.close();
});

it('goes on where the process before has ended, whatever it left half written', async () => {
  const folder = place();
  const before = await DiskBuffer.open(folder, MIB);
  for (let n = 0; n < 5; n++) await before.append([line(n)]);
  const read = await before.read(2 * Buffer.byteLength(line(0)));
  if (read) await before.acknowledge(read);
  const left = numbers(read?.lines ?? []).length;
  // Simulates a kill: the file is not closed, and its last line is incomplete.
  appendFileSync(join(folder, files(folder)[0] ?? ''), '{"n":5,"te');
  const after = await DiskBuffer.open(folder, MIB);
  await after.append([line(6)]);
  expect(await rest(after)).toEqual([0, 1, 2, 3, 4, 6].slice(left));
  await before.close();
  await after.close();
});

it.each([500, 200_000])('delivers once more what is acknowledged nowhere any more, and no %i zeros', async (zeros) => {
  const folder = place();
  const before = await DiskBuffer.open(folder, MIB);
  await before.append([line(0), line(1)]);
  expect(await rest(before)).toEqual([0, 1]);
  await before.close();
  const [file = ''] = files(folder);
  rmSync(join(folder, 'delivered'));
  truncateSync(join(folder, file), statSync(join(folder, file)).size + zeros);
  const after = await DiskBuffer.open(folder, MIB);
  expect(await rest(after)).toEqual([0, 1]);
  writeFileSync(join(folder, 'delivered'), 'nonsense');
  await after.close();
});

it('removes files that are delivered, and holds no more than it may', async () => {
  const folder = place();
  const buffer = await DiskBuffer.open(folder, 12 * MIB);
  const large = Array.from({ length: 16 }, (_, n) => line(n, 15_000));
  const appended: number[] = [];
  const refused = async () => {
    for (;;) {
      try {
        await buffer.append(large);
        appended.push(1);
      } catch (error) {
        return (error as Error).message;
      }
    }
  };
  expect(await refused()).toBe('the buffer is full');
  expect(buffer.bytes).toBeLessThanOrEqual(12 * MIB);
  expect(files(folder).length).toBeGreaterThan(2);
  const batch = await buffer.read(MIB);
  if (batch) await buffer.acknowledge(batch);
  await buffer.append(large);
  expect(await rest(buffer, MIB)).toHaveLength((appended.length + 1) * large.length - (batch?.lines.length ?? 0));
  expect(files(folder)).toHaveLength(1);
  await buffer.close();
});

it('takes lines again after a file could not be begun, and was left behind', async () => {
  const folder = place();
  const buffer = await DiskBuffer.open(folder, MIB);
  writeFileSync(join(folder, '000000000001.jsonl'), '');
  await expect(buffer.append([line(0)])).rejects.toThrow('EEXIST');
  await buffer.append([line(1)]);
  expect(await rest(buffer)).toEqual([1]);
  await buffer.close();
});

it('has lines for its owner alone', async () => {
  const folder = place();
  const buffer = await DiskBuffer.open(folder, MIB);
  await buffer.append([line(1)]);
  expect([statSync(folder).mode & 0o777, statSync(join(folder, files(folder)[0] ?? '')).mode & 0o777]).toEqual([
    0o700, 0o600,
  ]);
  expect(readFileSync(join(folder, files(folder)[0] ?? ''), 'utf8')).toBe(line(1));
  await buffer.close();
});

it('has a place of its own for each process, and finds those that were left', async () => {
  const root = place();
  const [first, second] = [await takePlace(root), await takePlace(root)];
  expect(second.folder).not.toBe(first.folder);
  const left = async () => {
    const found: string[] = [];
    for await (const one of leftPlaces(root)) {
      found.push(one.folder);
      one.release();
    }
    return found;
  };
  expect(await left()).toEqual([]);
  first.release();
  expect(await left()).toEqual([first.folder]);
  const third = await takePlace(root);
  expect(third.folder).toBe(first.folder);
  second.release();
  third.release();
});
