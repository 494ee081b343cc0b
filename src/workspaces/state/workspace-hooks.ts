import {
  type DocumentSource,
  type IncludeSource,
  MAX_OUTPUTS_SHOWN,
  type Part,
  type WorkspaceExtension,
  type WorkspaceView,
} from '../workspace/index.ts';
import { outputIds } from './reader/outputs.ts';
import { WorkspaceOutputResource } from './version/content-resources.ts';
import type { StateContents } from './version/contents.ts';
import { NOTHING_TO_PROMOTE } from './version/dependent.ts';
import type { StatePresenter } from './version/presenter.ts';
import type { StateVersions } from './version/versions.ts';

/** Returns how states appear in the documents of workspaces: links to the outputs, and included resources. */
export function statesInWorkspaces(
  versions: StateVersions,
  contents: StateContents,
  presenter: StatePresenter,
): WorkspaceExtension {
  return {
    quietlyUnlocked: NOTHING_TO_PROMOTE,
    documents: [outputReferences(contents)],
    includes: {
      outputs: includedOutputs(versions, contents),
      current_state_version: includedVersions(versions, presenter),
    },
  };
}

function outputReferences(contents: StateContents): DocumentSource {
  const of = async (workspaces: readonly WorkspaceView[]) => {
    const counts = await contents.outputCounts(workspaces.flatMap(stateOf));
    const parts = workspaces.flatMap((workspace): [string, Part][] => {
      const [versionId = ''] = stateOf(workspace);
      const part = outputsPart(versionId, counts.get(versionId) ?? 0);
      return part === undefined ? [] : [[workspace.id, part]];
    });
    return new Map(parts);
  };
  return {
    of,
    async prefetch(workspaceId) {
      const known = await contents.currentOutputs(workspaceId);
      return async (workspace) => {
        const { stateVersionId } = workspace.current;
        if (stateVersionId === null) return undefined;
        if (stateVersionId === known?.id) return outputsPart(stateVersionId, known.count);
        return (await of([workspace])).get(workspaceId);
      };
    },
  };
}

function outputsPart(versionId: string, count: number): Part | undefined {
  const ids = outputIds(versionId, Math.min(count, MAX_OUTPUTS_SHOWN));
  if (ids.length === 0) return undefined;
  return { relationships: { outputs: { data: ids.map((id) => ({ type: 'workspace-outputs', id })) } } };
}

/** Includes outputs of workspaces whose outputs the actor may read, without sensitive values. */
function includedOutputs(versions: StateVersions, contents: StateContents): IncludeSource {
  return async (_actor, workspaces) => {
    const readable = workspaces.filter(({ permissions }) => permissions['can-read-state-outputs']);
    const found = await versions.withIds(readable.flatMap(stateOf));
    const each = found.map(async (version) =>
      (await contents.outputs(version))
        .slice(0, MAX_OUTPUTS_SHOWN)
        .map((output, index) =>
          WorkspaceOutputResource.document({ output, index }, { versionId: version.id, isMasked: true }),
        ),
    );
    return { resources: (await Promise.all(each)).flat() };
  };
}

/** Includes states of workspaces whose states the actor may read. */
function includedVersions(versions: StateVersions, presenter: StatePresenter): IncludeSource {
  return async (actor, workspaces, url) => {
    const readable = workspaces.filter(({ permissions }) => permissions['can-read-state-versions']);
    const found = await versions.withIds(readable.flatMap(stateOf));
    return { resources: await presenter.resourcesOf({ actor, url }, found) };
  };
}

function stateOf({ current }: WorkspaceView): string[] {
  return current.stateVersionId === null ? [] : [current.stateVersionId];
}
