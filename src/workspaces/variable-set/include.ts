import type { Resource } from '../jsonapi/document.ts';
import { parseInclude } from '../jsonapi/include.ts';
import type { Actor } from '../permissions/actor.ts';
import { projectResource } from '../project/document.ts';
import type { Projects } from '../project/projects.ts';
import { variableResource } from '../variable/document.ts';
import type { WorkspaceFinder } from '../workspace/finder.ts';
import type { WorkspacePresenter } from '../workspace/presenter.ts';
import type { SetVariables } from './set-variables.ts';
import type { VariableSetView } from './variable-set.ts';

const INCLUDES = ['projects', 'stacks', 'vars', 'workspaces'] as const;
/** A word of `include`. */
export type SetInclude = (typeof INCLUDES)[number];

/** Whom to ask for what is included. */
export interface SetIncludeSources {
  readonly projects: Projects;
  readonly setVariables: SetVariables;
  readonly finder: WorkspaceFinder;
  readonly presenter: WorkspacePresenter;
}

/** @throws 400 for an unknown word */
export function setIncludes(text: string | undefined): ReadonlySet<SetInclude> {
  return parseInclude(text, INCLUDES);
}

/** What the sets point at, as far as it was asked for and the actor may see it. */
export async function includedWith(
  sources: SetIncludeSources,
  actor: Actor,
  sets: readonly VariableSetView[],
  asked: ReadonlySet<SetInclude>,
): Promise<Resource[]> {
  const projectIds = asked.has('projects') ? new Set(sets.flatMap((set) => set.projectIds)) : [];
  const variables = asked.has('vars') ? await sources.setVariables.ofSets(sets) : [];
  return [
    ...(await sources.projects.readable(actor, [...projectIds])).map((project) => projectResource(project)),
    ...variables.map((variable) => variableResource(variable)),
    ...(asked.has('workspaces') ? await workspacesOf(sources, actor, sets) : []),
  ];
}

/** The sets are of one organization. */
async function workspacesOf({ finder, presenter }: SetIncludeSources, actor: Actor, sets: readonly VariableSetView[]) {
  const ids = [...new Set(sets.flatMap(({ workspaceIds }) => workspaceIds))];
  const [first] = sets;
  if (first === undefined || ids.length === 0) return [];
  return presenter.each(actor, await finder.readable(actor, first.organizationId, ids));
}
