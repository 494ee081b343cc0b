import { mountedIn } from '../../runner/index.ts';
import { CommandError } from '../errors/command-error.ts';

/**
 * Refuses secrets in folders that the sandbox mounts, because every run can read them with the agent's permissions.
 * @param paths files and folders
 * @throws CommandError with the first such path
 */
export function refuseMounted(paths: readonly (string | null | undefined)[]): void {
  const found = mountedIn(paths.filter((path) => typeof path === 'string'));
  if (found === undefined) return;
  throw new CommandError(
    `${found.path} is in ${found.mount}, which every run can read in its sandbox: move it to a folder such as /etc/lockkeeper or /var/lib/lockkeeper`,
  );
}
