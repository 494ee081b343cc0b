import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JobFolders } from './isolation.ts';

const USER = 'lockkeeper';

/** Where the state of a job is: in a folder that has the workspace's name, as the `local` backend wants it. */
export const STATES = 'states';

/**
 * Makes the folders of a job, which only the agent's user can open.
 * @param workspace its name, which `terraform.workspace` has in the run
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
  // Programs such as ssh refuse to work for a user that has no name.
  writeFileSync(join(folders.told, 'passwd'), `${USER}:x:1000:1000::/run/lockkeeper/home:/bin/sh\n`);
  writeFileSync(join(folders.told, 'group'), `${USER}:x:1000:\n`);
  return folders;
}
