/**
 * What Node.js starts in the executable (`build/executable.ts`). It starts one CommonJS script; the program is ES modules, and threads and
 * processes that begin in files of their own. So its files are in the executable too, are unpacked once, and run from there.
 * @see https://nodejs.org/docs/latest-v24.x/api/single-executable-applications.html
 */
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { getAsset, getAssetKeys, getRawAsset } from 'node:sea';
import { isOurs, placesOf, takeFolder } from './places.ts';
import { unpack } from './unpack.ts';

/** Nobody unpacks into the folder of another version. */
const ID = 'id';
const id = getAsset(ID, 'utf8');
const uid = process.geteuid?.() ?? 0;

/** A process that the program starts as Node.js is told the file to run, which is of ours. */
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
  const advice = 'set XDG_CACHE_HOME to a folder that is yours alone';
  process.stderr.write(`lockkeeper: it has nowhere to unpack itself; ${advice}.\n${failures.join('\n')}\n`);
  process.exit(1);
}

/** Of the package that is unpacked, what goes by the name that the executable was called by. */
function fileNamed(name: string): string {
  const { bin } = JSON.parse(getAsset('package.json', 'utf8')) as { bin: Record<string, string> };
  return join(unpacked(), bin[name] ?? bin.lockkeeper ?? '');
}

const [, command = '', first = ''] = process.argv;
const ofChild = fileOfChild(first);
const file = ofChild ?? fileNamed(basename(command));
// As Node.js has them that was started with that file.
process.argv.splice(1, ofChild === undefined ? 1 : 2, file);
createRequire(file)(file);
