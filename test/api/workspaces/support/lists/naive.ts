import fc from 'fast-check';
import { SORTS, type SortKey } from '../../../../../src/workspaces/workspace/list/query.ts';

/** Element of a list, kept in memory as the simple model of the test. */
export interface Kept {
  readonly id: string;
  name: string;
  project: string;
  deleted: boolean;
  changedAt: number;
  runAt: number | null;
  status: string | null;
  held: boolean;
  hasState: boolean;
  mode: string | null;
  engine: string | null;
  version: string;
  readonly tags: Set<string>;
  readonly keys: Map<string, string>;
  /** Teams, and whether the workspace is shown to each. */
  readonly teams: Map<string, number>;
}

export const PROJECTS = ['prj-1', 'prj-2', 'prj-3'];
export const TAGS = ['red', 'blue', 'green'];
export const KEYS = ['env', 'red'];
export const VALUES = ['a', 'b', ''];
export const TEAMS = ['team-1', 'team-2', 'team-3'];
export const STATUSES = ['applied', 'errored', 'pending'];
export const MODES = ['remote', 'local'];
export const ENGINES = ['opentofu', 'terraform'];
export const VERSIONS = ['latest', '1.9.0', '>= 1.8, < 2'];
export const NAMES = ['app', 'App-2', 'db', 'web-app', 'zoo', 'net_1', 'APP_db', 'a', 'b-app-b', 'Zoo-app'];

export type Model = {
  workspaces: Kept[];
  projectKeys: Map<string, Map<string, string>>;
  locked: Set<string>;
  shownProjects: Map<string, Set<string>>;
  projectModes: Map<string, string | null>;
};

const some = <T>(values: readonly T[]): fc.Arbitrary<T[]> =>
  fc.oneof(fc.constant<T[]>([]), fc.subarray([...values], { maxLength: 2 }));

/** Arbitrary queries of a list, and their callers. */
export const asked = fc.record({
  who: fc.constantFrom<readonly string[] | 'all'>('all', ['team-1'], ['team-1', 'team-2'], ['team-3'], []),
  project: fc.option(fc.constantFrom(...PROJECTS), { nil: undefined, freq: 3 }),
  name: fc.option(fc.constantFrom('app', 'A', '_', 'zoo', '-', '*', 'a*p'), { nil: undefined, freq: 2 }),
  wildcardName: fc.option(fc.constantFrom('a*', '*app', '*p*2', 'db', '*'), { nil: undefined, freq: 2 }),
  tags: some([...TAGS, 'env', 'none']),
  excludedTags: some([...TAGS, 'env']),
  bindings: fc.oneof(
    fc.constant<{ key: string; value: string | null }[]>([]),
    fc.array(fc.record({ key: fc.constantFrom(...KEYS, 'none'), value: fc.option(fc.constantFrom(...VALUES)) }), {
      maxLength: 2,
    }),
  ),
  isUnion: fc.boolean(),
  runStatuses: some(STATUSES),
  modes: some(MODES),
  engines: some(ENGINES),
  engineVersion: fc.option(fc.constantFrom(...VERSIONS), { nil: undefined, freq: 2 }),
  locked: fc.option(fc.boolean(), { nil: undefined, freq: 2 }),
  hasState: fc.option(fc.boolean(), { nil: undefined, freq: 2 }),
  sort: fc.constantFrom(...(Object.keys(SORTS) as SortKey[])),
  size: fc.constantFrom(1, 3, 100),
  number: fc.constantFrom(1, 1, 2, 4),
});
export type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never;

function effective({ projectKeys, locked }: Model, workspace: Kept): Map<string, string> {
  const found = new Map(projectKeys.get(workspace.project));
  for (const [key, value] of workspace.keys) if (!found.has(key) || !locked.has(key)) found.set(key, value);
  return found;
}

export interface Found {
  readonly names: string[];
  readonly total: number;
  readonly counts: { total: number; locked: number; runStatuses: Record<string, number> };
}

/** Returns the names on a page, the total and the counts, with the simplest algorithm. */
export function naive(model: Model, query: Asked): Found {
  const { who, project, name, wildcardName, tags, excludedTags, bindings, isUnion, runStatuses, sort } = query;
  const pattern = new RegExp(`^${(wildcardName ?? '*').replaceAll('*', '.*')}$`, 'i');
  const isSeen = ({ teams, project: its }: Kept) =>
    who === 'all' || who.some((team) => teams.get(team) === 1 || model.shownProjects.get(team)?.has(its));
  const carries = (one: Kept, tag: string) => one.tags.has(tag) || effective(model, one).has(tag);
  const has = (one: Kept, { key, value }: Asked['bindings'][number]) =>
    value === null ? effective(model, one).has(key) : effective(model, one).get(key) === value;
  const { modes, engines, engineVersion, locked, hasState } = query;
  const modeOf = (one: Kept) => one.mode ?? model.projectModes.get(one.project) ?? 'remote';
  const wide = model.workspaces.filter(
    (one) =>
      !one.deleted &&
      isSeen(one) &&
      (project === undefined || one.project === project) &&
      (name === undefined || one.name.toLowerCase().includes(name.toLowerCase())) &&
      pattern.test(one.name) &&
      tags.every((tag) => carries(one, tag)) &&
      !excludedTags.some((tag) => carries(one, tag)) &&
      (isUnion && bindings.length > 0
        ? bindings.some((pair) => has(one, pair))
        : bindings.every((pair) => has(one, pair))) &&
      (modes.length === 0 || modes.includes(modeOf(one))) &&
      (engines.length === 0 || engines.includes(one.engine ?? 'opentofu')) &&
      (engineVersion === undefined || one.version === engineVersion) &&
      (hasState === undefined || one.hasState === hasState),
  );
  const found = wide.filter(
    (one) =>
      (runStatuses.length === 0 || runStatuses.includes(one.status ?? '')) &&
      (locked === undefined || one.held === locked),
  );
  const runs: Record<string, number> = {};
  for (const { status } of wide) if (status !== null) runs[status] = (runs[status] ?? 0) + 1;
  const counts = { total: wide.length, locked: wide.filter(({ held }) => held).length, runStatuses: runs };
  const byName = (one: Kept, other: Kept) => (one.name < other.name ? -1 : 1);
  const figure = (one: Kept) => {
    if (sort.endsWith('name')) return 0;
    if (sort.endsWith('change-at')) return sort.startsWith('-') ? -one.changedAt : one.changedAt;
    return one.runAt === null ? Number.POSITIVE_INFINITY : sort.startsWith('-') ? -one.runAt : one.runAt;
  };
  const sorted = found.sort(
    (one, other) => (figure(one) === figure(other) ? 0 : figure(one) - figure(other)) || byName(one, other),
  );
  if (sort === '-name') sorted.reverse();
  const offset = (query.number - 1) * query.size;
  return { names: sorted.slice(offset, offset + query.size).map((one) => one.name), total: found.length, counts };
}
