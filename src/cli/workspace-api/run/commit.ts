import { ask, type ConnectionOptions } from '../../connection/connection.ts';
import { printable } from '../../output/printable.ts';
import { dataOf } from '../workspace-requests.ts';
import { uploadedVersion } from './configuration.ts';

/** Commit of a repository, and whether its configuration is only planned. */
interface WantedCommit {
  /** Branch, tag or commit; `HEAD` is the newest commit of the branch that the workspace follows. */
  readonly ref: string;
  readonly planOnly: boolean;
}

/**
 * Lets the server fetch a commit of the repository of a workspace. Returns the ID of its configuration version.
 * @throws CommandError with the reason of the server if it cannot be fetched
 */
export async function fetchCommit(
  workspaceId: string,
  { ref, planOnly }: WantedCommit,
  options: ConnectionOptions,
): Promise<string> {
  const path = `/api/v2/workspaces/${workspaceId}/configuration-versions`;
  // The command itself starts the run, which has its options.
  const attributes = { 'vcs-ref': ref, 'auto-queue-runs': false, speculative: planOnly };
  const document = { data: { type: 'configuration-versions', attributes } };
  const { id } = dataOf((await ask(options, 'workspaces', 'POST', path, document)).body);
  process.stderr.write(`Fetching ${printable(ref)}\n`);
  return uploadedVersion(id, 'the commit was not fetched', options);
}
