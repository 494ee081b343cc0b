import { compileGlob } from '../../lib/glob.ts';
import type { Connection } from '../connection/connection.ts';
import type { Item, Note } from '../model/item.ts';
import type { StateChoice } from '../states/state-source.ts';
import { kindNamed } from './kinds/index.ts';
import { WorkspaceLocks } from './locks.ts';
import type { OrganizationSource } from './migrate.ts';
import { notTakenFrom } from './not-taken.ts';
import { readOrganization } from './reader.ts';
import { ApiStates } from './states.ts';

/** Reason of a lock that is never released: it is accepted for every holder, as is any lock of the same user. */
const MOVED = 'Moved to Lockkeeper';

export interface ApiSourceOptions {
  readonly connection: Connection;
  readonly organization: string;
  /** Pattern of workspace names with `*`. Default: all. */
  readonly workspaces?: string | undefined;
  /** Name of a project. Default: all. */
  readonly project?: string | undefined;
  readonly states: StateChoice;
  readonly locksSource: boolean;
}

/** Reads an organization of HCP Terraform, Terraform Enterprise or another Lockkeeper. */
export async function apiSource(options: ApiSourceOptions): Promise<OrganizationSource> {
  const { connection, organization, workspaces, project, states, locksSource } = options;
  const hasName = compileGlob(workspaces ?? '*');
  const hasWorkspace = (name: string, of: string | undefined) =>
    hasName(name) && (project === undefined || of === project);
  const read = await readOrganization(connection, { organization, hasWorkspace });
  const items = project === undefined ? read.items : ofProject(read.items, project);
  const ids = new Map(read.workspaces.map(({ id, name }) => [name, id]));
  const locks = new WorkspaceLocks(connection);
  return {
    name: `${connection.host}/${organization}`,
    items,
    notes: [...read.notes, ...(await notTakenFrom(connection, organization))],
    states: new ApiStates(connection, organization, states, ids),
    ...(locksSource && {
      lock: async (workspace: string) => {
        const id = ids.get(workspace);
        if (id !== undefined) await locks.lock(id, MOVED, ({ isOfUser, reason }) => isOfUser || reason === MOVED);
      },
    }),
  };
}

/** Leaves out other projects, with everything that they own. */
function ofProject(items: readonly Item[], project: string): readonly Item[] {
  const isForeign = ({ kind, links: { parent = [] } }: Item) =>
    kind === 'varsets' && parent.some((one) => one !== project);
  const foreignSets = new Set(items.filter(isForeign).map(({ name }) => name));
  return items.filter(
    (item) =>
      isOfProject(item, project) &&
      !isForeign(item) &&
      !(kindNamed(item.kind)?.owner === 'varsets' && foreignSets.has(item.owner)),
  );
}

function isOfProject({ kind, owner, name }: Item, project: string): boolean {
  if (kind === 'projects') return name === project;
  return kindNamed(kind)?.owner !== 'projects' || owner === project;
}

/** Options that decide what of a source is taken. */
export interface Choices {
  /** Whether workspaces follow their repositories from now on. */
  readonly followsRepositories: boolean;
  /** Whether members get an invitation. */
  readonly invites: boolean;
}

/** Leaves out what would act at once: pushes that start runs, and emails to people. Adds a note for each. */
export function chosen(source: OrganizationSource, { followsRepositories, invites }: Choices): OrganizationSource {
  const notes: Note[] = [];
  const items = source.items.flatMap((item): Item[] => {
    if (item.kind === 'members' && !invites) {
      notes.push({ about: `member ${item.name}`, why: 'nobody is invited without --invite' });
      return [];
    }
    const { 'vcs-repo': repository, ...attributes } = item.attributes;
    if (item.kind !== 'workspaces' || !repository || followsRepositories) return [item];
    const { identifier } = repository as { identifier?: unknown };
    notes.push({
      about: `repository of workspace ${item.name}`,
      why: `pushes to ${identifier} would start runs on both servers; take it with --repositories after the switch`,
    });
    const { 'vcs-connection': _connection, ...links } = item.links;
    return [{ ...item, attributes, links }];
  });
  return { ...source, items, notes: [...source.notes, ...notes] };
}
