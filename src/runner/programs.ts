import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Finds a program in the directories of a PATH. */
export function programOn(path: string, name: string): string | undefined {
  const folders = path.split(delimiter).filter((folder) => folder.startsWith('/'));
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** Returns whether a file exists and can be executed. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
