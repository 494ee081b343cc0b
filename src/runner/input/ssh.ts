import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JobFolders } from '../isolation/isolation.ts';

/**
 * Lets git fetch modules by SSH with a key of the workspace. The settings are in a git configuration file too, because
 * some engines clear the environment variable.
 * @returns environment variables for the engine
 */
export function writeSshKey(key: string | null, here: JobFolders, seen: JobFolders): Record<string, string> {
  if (key === null) return {};
  writeFileSync(join(here.told, 'ssh-key'), `${key.trimEnd()}\n`, { mode: 0o600 });
  const options = [
    `-i ${seen.told}/ssh-key`,
    '-o IdentitiesOnly=yes',
    '-o BatchMode=yes',
    '-o StrictHostKeyChecking=accept-new',
    `-o UserKnownHostsFile=${seen.home}/known_hosts`,
  ];
  const command = `ssh ${options.join(' ')}`;
  writeFileSync(join(here.told, 'gitconfig'), `[core]\n\tsshCommand = ${command}\n`);
  return { GIT_CONFIG_GLOBAL: `${seen.told}/gitconfig`, GIT_SSH_COMMAND: command };
}
