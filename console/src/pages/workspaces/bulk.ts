import { workspaces } from '../../api/client.ts';

/** Action on all selected workspaces, one after the other. */
export type BulkAction =
  | { readonly is: 'lock'; readonly reason: string }
  | { readonly is: 'unlock' }
  | { readonly is: 'tag'; readonly tags: readonly string[] }
  | { readonly is: 'move'; readonly project: string };

export interface Marked {
  readonly id: string;
  readonly name: string;
}

/** Progress of an action, with the workspaces for which it failed and the error messages of the server. */
export interface Progress {
  readonly done: number;
  readonly of: number;
  readonly refused: readonly { readonly name: string; readonly why: string }[];
}

/** Executes the action for each workspace. A failure does not stop the others. Reports the progress after each. */
export async function actOnEach(
  action: BulkAction,
  marked: readonly Marked[],
  tell: (progress: Progress) => void,
): Promise<void> {
  let progress: Progress = { done: 0, of: marked.length, refused: [] };
  for (const { id, name } of marked) {
    const why = await actOn(action, id).then(
      () => undefined,
      (error: Error) => error.message,
    );
    const refused = why === undefined ? progress.refused : [...progress.refused, { name, why }];
    progress = { ...progress, done: progress.done + 1, refused };
    tell(progress);
  }
}

function actOn(action: BulkAction, id: string): Promise<unknown> {
  const path = { workspace_id: id };
  switch (action.is) {
    case 'lock':
      return workspaces.send('POST /workspaces/{workspace_id}/actions/lock', {
        path,
        body: { reason: action.reason },
      });
    case 'unlock':
      return workspaces.send('POST /workspaces/{workspace_id}/actions/unlock', { path });
    case 'tag':
      return workspaces.send('POST /workspaces/{workspace_id}/relationships/tags', {
        path,
        body: { data: action.tags.map((name) => ({ type: 'tags' as const, attributes: { name } })) },
      });
    case 'move':
      return workspaces.send('POST /projects/{project_id}/relationships/workspaces', {
        path: { project_id: action.project },
        body: { data: [{ type: 'workspaces' as const, id }] },
      });
  }
}
