import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FOLDER_BOUNDS } from './archive/bounds.ts';
import { pack } from './archive/pack.ts';
import { unpack } from './archive/unpack.ts';
import { JobFailure } from './ports.ts';
import { untilStopped } from './until-stopped.ts';
import { contentOf, type Work } from './work.ts';

/** Ours, which no engine sees: what it could put there instead would be followed here. */
const ABOUT = 'about';
const PLACE = 'place';

/** Hands out what the apply of a plan needs. */
export async function handOutFolder({ room, seen, outputs, stopping }: Work): Promise<void> {
  stopping.check();
  mkdirSync(room.file(ABOUT));
  writeFileSync(join(room.file(ABOUT), PLACE), seen.work);
  const path = room.file('folder.tar.gz');
  await pack(room.root, [ABOUT, 'work', 'plan'], path, stopping.interrupted);
  await outputs.folder(contentOf(path));
}

/**
 * Puts the folder of the plan where it was.
 * @throws JobFailure where that cannot be
 */
export async function takeFolder({ inputs, room, seen, stopping }: Work): Promise<void> {
  const carried = room.file('carried');
  mkdirSync(carried, { mode: 0o700 });
  const folder = await untilStopped(inputs.folder(), stopping.interrupted);
  await unpack(folder, carried, FOLDER_BOUNDS, stopping.interrupted);
  checkPlace(room.whole(join(carried, ABOUT)), seen.work);
  room.take(carried, 'work');
  room.take(carried, 'plan');
}

/** A plan keeps absolute paths, that of the state too: elsewhere it would be applied to another one. */
function checkPlace(about: string, here: string): void {
  const place = readFileSync(join(about, PLACE), 'utf8');
  if (place === here) return;
  throw new JobFailure(
    `The plan was made in ${JSON.stringify(place.slice(0, 200))} and cannot be applied in ${JSON.stringify(here)}: agents without isolation need the same folder`,
  );
}
