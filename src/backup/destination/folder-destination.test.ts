import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderDestination } from './folder-destination.ts';

let folder: string;
let place: FolderDestination;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockkeeper-place-'));
  place = new FolderDestination(folder);
});
afterEach(() => rmSync(folder, { recursive: true }));

const nameOf = (id: number) => `lockkeeper-0123abcd-20261124T023000Z-${String(id).padStart(16, '0')}.backup`;

/** Returns a source that waits until it is released. */
function halting() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  async function* content() {
    yield Buffer.from('first ');
    begun.resolve();
    await promise;
    yield Buffer.from('and last');
  }
  return { content: content(), goOn: resolve, hasBegun: begun.promise };
}

describe('a folder of backups', () => {
  it("keeps the draft of another process that writes the same name, and that process's backup", async () => {
    const { content, goOn, hasBegun } = halting();
    const writing = place.write('one', content);
    await hasBegun;
    const other = place.write('one', halting().content);
    await expect(other).rejects.toThrow('one.draft exists: another process is writing it, or was interrupted');
    goOn();
    expect(await writing).toBe(14);
    expect([readdirSync(folder), readFileSync(join(folder, 'one'), 'utf8')]).toEqual([['one'], 'first and last']);
  });

  it('lists only files, whatever else has the name of a backup', async () => {
    writeFileSync(join(folder, nameOf(1)), 'one');
    mkdirSync(join(folder, nameOf(2)));
    symlinkSync('nowhere', join(folder, nameOf(3)));
    symlinkSync('nowhere', join(folder, `${nameOf(4)}.draft`));
    expect(await place.list()).toEqual([{ name: nameOf(1), bytes: 3 }]);
    await place.sweep(Date.now());
    expect(readdirSync(folder)).toHaveLength(4);
  });
});
