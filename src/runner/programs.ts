import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The first program of that name in the folders of a PATH. */
export function programOn(path: string, name: string): string | undefined {
  const folders = path.split(delimiter).filter((folder) => folder.startsWith('/'));
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** Whether it is there and can be started. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
