/**
 * Entry point of the executable (`build/executable.ts`). A single executable application starts one CommonJS script,
 * but the program consists of ES modules, threads and processes that start from files of their own. So the executable
 * contains these files, unpacks them once, and runs them from there.
 * @see https://nodejs.org/docs/latest-v24.x/api/single-executable-applications.html
 */
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { getAsset, getAssetKeys, getRawAsset } from 'node:sea';
import { isOurs, placesOf, takeFolder } from './places.ts';
import { unpack } from './unpack.ts';

/**
 * Name of the asset with the version's ID. The folder's name contains the ID, so each version has a folder of its own.
 */
const ID = 'id';
const id = getAsset(ID, 'utf8');
const uid = process.geteuid?.() ?? 0;

/** Returns the file to run if the program itself started this process as Node.js. */
function fileOfChild(file: string): string | undefined {
  const folder = dirname(dirname(file));
  return basename(folder) === id && isOurs(folder, uid) ? file : undefined;
}

function unpacked(): string {
  const names = getAssetKeys().filter((name) => name !== ID);
  const contents = new Map(names.map((name) => [name, new Uint8Array(getRawAsset(name))]));
  const failures: string[] = [];
  for (const place of placesOf(process.env, uid)) {
    try {
      const folder = join(takeFolder(place, uid), id);
      unpack(contents, folder);
      return folder;
    } catch (error) {
      failures.push((error as Error).message);
    }
  }
  const advice = 'set XDG_CACHE_HOME to a folder that only your user can change';
  process.stderr.write(
    `lockkeeper: the executable found no folder to unpack its files; ${advice}.\n${failures.join('\n')}\n`,
  );
  process.exit(1);
}

/** Returns the program of the unpacked package that matches the name of the executable. */
function fileNamed(name: string): string {
  const { bin } = JSON.parse(getAsset('package.json', 'utf8')) as { bin: Record<string, string> };
  return join(unpacked(), bin[name] ?? bin.lockkeeper ?? '');
}

const [, command = '', first = ''] = process.argv;
const ofChild = fileOfChild(first);
const file = ofChild ?? fileNamed(basename(command));
// Arguments as Node.js passes them to that file.
process.argv.splice(1, ofChild === undefined ? 1 : 2, file);
createRequire(file)(file);
