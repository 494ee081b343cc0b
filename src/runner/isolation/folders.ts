import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JobFolders } from './isolation.ts';

const USER = 'lockkeeper';

/** Makes the folders of a job, for nobody but us. */
export function createFolders(root: string): JobFolders {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const folder = (name: string): string => {
    const path = join(root, name);
    mkdirSync(path, { mode: 0o700 });
    return path;
  };
  const folders = {
    work: folder('work'),
    plan: folder('plan'),
    state: folder('state'),
    home: folder('home'),
    told: folder('told'),
  };
  // Programs such as ssh refuse to work for a user that has no name.
  writeFileSync(join(folders.told, 'passwd'), `${USER}:x:1000:1000::/run/lockkeeper/home:/bin/sh\n`);
  writeFileSync(join(folders.told, 'group'), `${USER}:x:1000:\n`);
  return folders;
}
