import type { Resource } from '../../jsonapi/document.ts';
import { parseInclude } from '../../jsonapi/include.ts';
import { piecemeal } from '../../jsonapi/included-size.ts';
import { type Actor, ProjectResource, type Projects } from '../../tenancy/index.ts';
import type { WorkspaceFinder, WorkspacePresenter } from '../../workspace/index.ts';
import { VariableResource } from '../variable/resource.ts';
import type { SetVariables } from './set-variables.ts';
import type { VariableSetView } from './variable-set.ts';

const INCLUDES = ['projects', 'stacks', 'vars', 'workspaces'] as const;
/** A word of `include`. */
export type SetInclude = (typeof INCLUDES)[number];

/** Number of sets to read at a time, because the included resources of a page can be megabytes. */
const SETS_AT_A_TIME = 5;
const WORKSPACES_AT_A_TIME = 100;

/** Presenters of the included resources. */
export interface SetIncludeSources {
  readonly projects: Projects;
  readonly setVariables: SetVariables;
  readonly finder: WorkspaceFinder;
  readonly presenter: WorkspacePresenter;
}

/**
 * Parses `include`.
 * @throws 400 for an unknown word
 */
export function setIncludes(text: string | undefined): ReadonlySet<SetInclude> {
  return parseInclude(text, INCLUDES);
}

/** Returns the requested resources of the sets that the actor may see. */
export async function includedWith(
  sources: SetIncludeSources,
  actor: Actor,
  sets: readonly VariableSetView[],
  asked: ReadonlySet<SetInclude>,
): Promise<Resource[]> {
  const projectIds = asked.has('projects') ? new Set(sets.flatMap((set) => set.projectIds)) : [];
  const variables = asked.has('vars')
    ? await piecemeal(
        sets,
        SETS_AT_A_TIME,
        (some) => variablesOf(sources, some),
        (piece) => piece,
      )
    : [];
  return [
    ...(await sources.projects.readable(actor, [...projectIds])).map((project) => ProjectResource.document(project)),
    ...variables.flat(),
    ...(asked.has('workspaces') ? await workspacesOf(sources, actor, sets) : []),
  ];
}

async function variablesOf({ setVariables }: SetIncludeSources, sets: readonly VariableSetView[]) {
  return (await setVariables.ofSets(sets)).map((variable) => VariableResource.document(variable));
}

/** All sets belong to one organization. */
async function workspacesOf({ finder, presenter }: SetIncludeSources, actor: Actor, sets: readonly VariableSetView[]) {
  const ids = [...new Set(sets.flatMap(({ workspaceIds }) => workspaceIds))];
  const [first] = sets;
  if (first === undefined || ids.length === 0) return [];
  const read = async (some: readonly string[]) =>
    presenter.resourcesOf(actor, await finder.readable(actor, first.organizationId, some));
  return (await piecemeal(ids, WORKSPACES_AT_A_TIME, read, (piece) => piece)).flat();
}
