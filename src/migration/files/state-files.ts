import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { sideBySide } from '../connection/side-by-side.ts';
import type { SourceState, StateSource } from '../states/state-source.ts';
import { fileName } from './file-names.ts';

const FOLDER = 'states';
const FILE = /^(\d{1,16})\.tfstate$/;
const DIGITS = 12;

/**
 * Writes states as `states/WORKSPACE/SERIAL.tfstate`. Complete files stay, so a repeated export continues.
 * @returns the number of files
 */
export async function exportStates(
  folder: string,
  workspaces: readonly string[],
  source: StateSource,
): Promise<number> {
  const counts = await sideBySide(workspaces, async (workspace) => {
    const states = await source.statesOf(workspace);
    const place = join(folder, FOLDER, fileName(workspace));
    if (states.length > 0) await mkdir(place, { recursive: true, mode: 0o700 });
    for (const state of states) {
      const path = join(place, `${String(state.serial ?? 0).padStart(DIGITS, '0')}.tfstate`);
      if ((await stat(path).catch(() => undefined)) === undefined) await download(state, path);
    }
    return states.length;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

async function download(state: SourceState, path: string): Promise<void> {
  const draft = `${path}.part`;
  await rm(draft, { force: true });
  await pipeline(await state.open(), createWriteStream(draft, { mode: 0o600, flags: 'wx' }));
  await rename(draft, path);
}

/** States of an exported folder. */
export function folderStates(folder: string): StateSource {
  return {
    async statesOf(workspace) {
      const place = join(folder, FOLDER, fileName(workspace));
      const names = await readdir(place).catch(() => []);
      const files = names.filter((name) => FILE.test(name)).toSorted();
      return Promise.all(
        files.map(async (name): Promise<SourceState> => {
          const path = join(place, name);
          const { size } = await stat(path);
          return { serial: Number(FILE.exec(name)?.[1]), size, open: async () => createReadStream(path) };
        }),
      );
    },
  };
}
