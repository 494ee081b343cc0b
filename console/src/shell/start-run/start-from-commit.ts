import { workspaces } from '../../api/client.ts';
import * as texts from './texts.ts';

/** Interval at which the console asks whether the commit is fetched, milliseconds. The server gives up after 10 minutes. */
const EVERY_MS = 1_000;

interface Fetched {
  readonly workspaceId: string;
  /** Branch, tag or commit; `HEAD`: the newest commit that the workspace follows. */
  readonly ref: string;
  /** Whether the configuration is only for plans. */
  readonly speculative: boolean;
  /** Aborted if the user no longer waits. */
  readonly signal: AbortSignal;
}

/**
 * Lets the server fetch a commit, and waits for it.
 * @returns the id of the configuration version
 * @throws ApiError if the server refuses; Error with the reason if the commit cannot be fetched
 */
export async function fetchCommit({ workspaceId, ref, speculative, signal }: Fetched): Promise<string> {
  const attributes = { 'vcs-ref': ref, 'auto-queue-runs': false, speculative };
  const created = await workspaces.send('POST /workspaces/{workspace_id}/configuration-versions', {
    path: { workspace_id: workspaceId },
    body: { data: { type: 'configuration-versions', attributes } },
  });
  let { id, attributes: version } = created.data;
  while (version.status !== 'uploaded') {
    if (version.status === 'errored') throw new Error(version['error-message'] ?? texts.theCommitCould);
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    signal.throwIfAborted();
    const answer = await workspaces.send('GET /configuration-versions/{id}', { path: { id } });
    ({ id, attributes: version } = answer.data);
  }
  return id;
}
