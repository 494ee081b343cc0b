import { MigrationError } from '../model/errors.ts';
import type { Item, Note } from '../model/item.ts';
import type { OrganizationSource } from '../organization/migrate.ts';
import type { SourceState } from '../states/state-source.ts';
import { PROJECT, type StatePattern, workspaceName } from './pattern.ts';
import type { FoundState, StatePlace } from './state-place.ts';

export interface StateFileOptions {
  readonly pattern: StatePattern;
  /** Template of workspace names, such as `{component}-{env}`. */
  readonly workspaceName?: string | undefined;
  /** Project of all workspaces, unless the pattern has `{project}`. */
  readonly project?: string | undefined;
  readonly executionMode?: string | undefined;
}

/** Makes a workspace of each state file of a place. */
export async function stateFileSource(place: StatePlace, options: StateFileOptions): Promise<OrganizationSource> {
  const states = new Map<string, SourceState>();
  const projects = new Map<string, Item>();
  const workspaces: Item[] = [];
  const notes: Note[] = [];
  const found = await place.list();
  for (const { path, state } of found.toSorted((one, other) => (one.path < other.path ? -1 : 1))) {
    const values = options.pattern.match(path);
    if (values === undefined) continue;
    const name = workspaceName(options.pattern, values, options.workspaceName);
    if (states.has(name)) {
      notes.push({
        about: `state ${path}`,
        why: `another file is the workspace ${name}, too; change --workspace-name`,
      });
      continue;
    }
    const project = values[PROJECT] ?? options.project;
    states.set(name, state);
    workspaces.push(workspaceItem(name, project, options));
    if (project !== undefined) projects.set(project, itemOf('projects', project, { name: project }));
  }
  if (workspaces.length === 0) throw noStates(place, found);
  return {
    name: place.name,
    items: [...projects.values(), ...workspaces],
    notes,
    states: { statesOf: async (workspace) => [states.get(workspace) ?? []].flat() },
  };
}

function workspaceItem(name: string, project: string | undefined, { executionMode }: StateFileOptions): Item {
  const attributes = { name, ...(executionMode !== undefined && { 'execution-mode': executionMode }) };
  return itemOf('workspaces', name, attributes, project === undefined ? {} : { project: [project] });
}

const itemOf = (kind: string, name: string, attributes: Item['attributes'], links: Item['links'] = {}): Item => ({
  ...{ kind, owner: '', name, attributes, links },
});

function noStates({ name }: StatePlace, found: readonly FoundState[]): MigrationError {
  const example = found[0] === undefined ? 'it lists no files there' : `it has, for example, ${found[0].path}`;
  return new MigrationError('not-found', `${name} has no file that matches the pattern; ${example}`);
}
