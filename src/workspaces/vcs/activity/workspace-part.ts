import type { Database, Queries } from '../../../storage/index.ts';
import { type DocumentSource, type Part, vcsRepoDocument, type WorkspaceView } from '../../workspace/index.ts';
import type { Hook } from '../hook/hook.ts';
import { hooksOf } from '../hook/store.ts';
import { linksOfWorkspaces } from '../link/store.ts';
import type { Repository } from '../repository/repository.ts';
import { findRepositories } from '../repository/store.ts';

/** The stored repository of a workspace. */
interface Known {
  readonly repository: Repository;
  readonly hook: Hook | undefined;
}

/** Adds what the provider says to the repository in the document of a workspace. */
export function repositoryParts(database: Database, urlOf: (hook: Hook | undefined) => string | null): DocumentSource {
  const partOf = (workspace: WorkspaceView, known: Known | undefined): Part | undefined => {
    const shown = vcsRepoDocument(workspace);
    if (shown === null || known === undefined) return undefined;
    const { repository, hook } = known;
    return {
      attributes: {
        'vcs-repo': {
          ...shown,
          'display-identifier': repository.displayIdentifier,
          'repository-http-url': repository.httpUrl,
          'webhook-url': workspace.permissions['can-update'] ? urlOf(hook) : null,
        },
      },
    };
  };
  return {
    async of(workspaces) {
      const known = await knownOf(
        database,
        workspaces.filter(({ settings }) => settings['vcs-repo'] !== null).map(({ id }) => id),
      );
      const parts = workspaces.map((workspace) => [workspace.id, partOf(workspace, known.get(workspace.id))] as const);
      return new Map(parts.flatMap(([id, part]) => (part === undefined ? [] : [[id, part] as const])));
    },
    async prefetch(workspaceId) {
      const known = await knownOf(database, [workspaceId]);
      return async (workspace) => partOf(workspace, known.get(workspaceId));
    },
  };
}

async function knownOf(db: Queries, workspaceIds: readonly string[]): Promise<ReadonlyMap<string, Known>> {
  const links = await linksOfWorkspaces(db, workspaceIds);
  const ids = [...new Set(links.flatMap(({ repositoryId }) => repositoryId ?? []))];
  if (ids.length === 0) return new Map();
  const repositories = new Map((await findRepositories(db, ids)).map((repository) => [repository.id, repository]));
  const hooks = await hooksOf(db, ids);
  return new Map(
    links.flatMap(({ workspaceId, repositoryId }) => {
      const repository = repositories.get(repositoryId ?? '');
      const hook = hooks.get(repositoryId ?? '');
      return repository === undefined ? [] : [[workspaceId, { repository, hook }] as const];
    }),
  );
}
