import { eachInSlices } from '../../../lib/slices.ts';
import { unprocessable } from '../../jsonapi/errors.ts';
import { HEAVY } from './field.ts';
import type { Group } from './group-fields.ts';
import { type Use, Uses } from './table/package-names.ts';
import type { GroupType } from './view-type.ts';
import { engineOf, type WorkspaceItem } from './workspace-fields.ts';

/**
 * @limit names of workspaces in a row of the explorer, names -> the others are only counted; list them with a filter
 */
const MAX_NAMES = 100;
/** @limit names of workspaces in a CSV file of the explorer, names -> 422 */
const MAX_FILE_NAMES = 2_000_000;
const TOO_MANY_NAMES =
  'The file would have too many names of workspaces. Leave out the field workspaces, or add filters';

/** Returns what a workspace uses, with the number of instances by position for resource types. */
type UsesOf = (item: WorkspaceItem) => readonly Use[];

const NONE: readonly Use[] = [];

/** Returns the uses of a view type. Uses that come from states are hidden where the actor may not read states. */
function usesOf(type: GroupType): UsesOf {
  switch (type) {
    case 'providers':
      return ({ row, readable }) => (readable.states && row.providers) || NONE;
    case 'modules':
      return ({ row, readable }) => (readable.states && row.modules) || NONE;
    case 'resource_types':
      return ({ row, readable }) => (readable.states && row.types) || NONE;
    case 'tf_versions':
      return engineVersions();
  }
}

/** The effective engine depends on the organization, so its versions are interned for each query. */
function engineVersions(): UsesOf {
  const known = new Map<string, Map<string, readonly Use[]>>();
  const uses = new Uses();
  return ({ row, context }) => {
    const engine = engineOf(row, context.inherited);
    const versions = known.get(engine) ?? new Map<string, readonly Use[]>();
    known.set(engine, versions);
    const { engineVersion } = row;
    const use = versions.get(engineVersion) ?? [uses.use(engine, null, engineVersion, `${engine}/${engineVersion}`)];
    versions.set(engineVersion, use);
    return use;
  };
}

/** Groups of the visible workspaces of one query. */
export class Groups {
  readonly #items: readonly WorkspaceItem[];
  readonly #type: GroupType;
  readonly #usesOf: UsesOf;

  /** @param items the visible workspaces by name */
  constructor(type: GroupType, items: readonly WorkspaceItem[]) {
    this.#type = type;
    this.#items = items;
    this.#usesOf = usesOf(type);
  }

  /** Returns the groups that have at least one workspace. */
  async all(): Promise<Group[]> {
    const uses: Use[] = [];
    const counts: number[] = [];
    const instances: number[] = [];
    const isCounted = this.#type === 'resource_types';
    await eachInSlices(
      this.#items.length,
      (at) => {
        const item = this.#items[at] as WorkspaceItem;
        this.#usesOf(item).forEach((use, position) => {
          uses[use.id] = use;
          counts[use.id] = (counts[use.id] ?? 0) + 1;
          if (isCounted) instances[use.id] = (instances[use.id] ?? 0) + (item.row.instances[position] ?? 0);
        });
      },
      HEAVY,
    );
    return uses
      .filter((use) => use !== undefined)
      .map((use) => ({
        id: this.#type === 'tf_versions' ? use.text : idOf(use),
        ...{ use, workspaces: [], count: counts[use.id] ?? 0, instances: instances[use.id] ?? 0 },
      }));
  }

  /** Returns the groups with a workspace whose name matches. */
  async having(matches: (name: string) => boolean): Promise<ReadonlySet<Use>> {
    const found = new Set<Use>();
    await eachInSlices(
      this.#items.length,
      (at) => {
        const item = this.#items[at] as WorkspaceItem;
        if (matches(item.row.name)) for (const use of this.#usesOf(item)) found.add(use);
      },
      HEAVY,
    );
    return found;
  }

  /**
   * Finds the names of the first workspaces of these groups, in one pass over all workspaces.
   * @returns the function that adds them to one of the groups
   * @throws 422 for more names than a file has
   */
  async namesOf(groups: readonly Group[]): Promise<(group: Group) => Group> {
    // The names of a group are a range of one array of positions: a file has hundreds of thousands of groups.
    const starts = new Map<Use, number>();
    let total = 0;
    for (const { use, count } of groups) {
      starts.set(use, total);
      total += Math.min(count, MAX_NAMES);
    }
    if (total > MAX_FILE_NAMES) throw unprocessable([{ detail: TOO_MANY_NAMES }]);
    const ends = new Map(starts);
    const positions = new Uint32Array(total);
    await eachInSlices(
      this.#items.length,
      (at) => {
        for (const use of this.#usesOf(this.#items[at] as WorkspaceItem)) {
          const end = ends.get(use);
          if (end === undefined || end - (starts.get(use) ?? 0) >= MAX_NAMES) continue;
          positions[end] = at;
          ends.set(use, end + 1);
        }
      },
      HEAVY,
    );
    return (group) => {
      const range = positions.subarray(starts.get(group.use), ends.get(group.use));
      return { ...group, workspaces: Array.from(range, (at) => this.#items[at]?.row.name ?? '') };
    };
  }
}

/** Returns an identifier of the group: its source, or its name if the source is unknown, and its version. */
function idOf({ name, source, version }: Use): string {
  const known = [source ?? '', ...(source?.endsWith(`/${name}`) ? [] : [name]), version ?? ''];
  return known.filter((part) => part !== '').join('/');
}
