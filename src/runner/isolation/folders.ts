import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JobFolders } from './isolation.ts';

const USER = 'lockkeeper';

/** Parent of the state folder. The `local` backend needs a folder with the name of the workspace. */
export const STATES = 'states';

/**
 * Creates the folders of a job with access only for the agent's user.
 * @param workspace name of the workspace, which is also `terraform.workspace` in the run
 */
export function createFolders(root: string, workspace: string): JobFolders {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const folder = (name: string): string => {
    const path = join(root, name);
    mkdirSync(path, { mode: 0o700 });
    return path;
  };
  folder(STATES);
  const folders = {
    work: folder('work'),
    plan: folder('plan'),
    state: folder(join(STATES, workspace)),
    home: folder('home'),
    told: folder('told'),
  };
  // Programs such as ssh refuse to work for a user without a name.
  writeFileSync(join(folders.told, 'passwd'), `${USER}:x:1000:1000::/run/lockkeeper/home:/bin/sh\n`);
  writeFileSync(join(folders.told, 'group'), `${USER}:x:1000:\n`);
  return folders;
}
