import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everyDatabase, openTestDatabase, postgresUrl, type TestDatabase } from '../../../../test/support/databases.ts';
import { type Database, migrate, type Params, sql } from '../../../storage/index.ts';
import { ALL_ACCESS, type Grant, NO_ACCESS } from '../../tenancy/permissions/grants.ts';
import { workspacesMigrations } from '../../wings.ts';
import { Rosters } from './memory.ts';
import { type ListFilter, queryWorkspaces, SORTS, type SortKey } from './query.ts';
import { EVERYTHING, listWorkspaces } from './store.ts';

/** What the lists are of, kept in memory the plain way. */
interface Kept {
  readonly id: string;
  name: string;
  project: string;
  deleted: boolean;
  changedAt: number;
  runAt: number | null;
  status: string | null;
  readonly tags: Set<string>;
  readonly keys: Map<string, string>;
  /** Teams, and whether the workspace is shown to each. */
  readonly teams: Map<string, number>;
}

const PROJECTS = ['prj-1', 'prj-2', 'prj-3'];
const TAGS = ['red', 'blue', 'green'];
const KEYS = ['env', 'red'];
const VALUES = ['a', 'b', ''];
const TEAMS = ['team-1', 'team-2', 'team-3'];
const STATUSES = ['applied', 'errored', 'pending'];
const NAMES = ['app', 'App-2', 'db', 'web-app', 'zoo', 'net_1', 'APP_db', 'a', 'b-app-b', 'Zoo-app'];

type Model = {
  workspaces: Kept[];
  projectKeys: Map<string, Map<string, string>>;
  locked: Set<string>;
  shownProjects: Map<string, Set<string>>;
};

/** One thing that happens: `[kind, which workspace, which of the others]`. */
const KINDS = ['create', 'rename', 'move', 'delete', 'restore', 'tag', 'key', 'projectKey', 'lock'] as const;
const MORE = ['grant', 'projectGrant', 'change', 'run'] as const;
const happening = fc.record({
  kind: fc.constantFrom(...KINDS, ...MORE, 'create', 'tag', 'grant'),
  at: fc.nat(50),
  one: fc.nat(50),
  two: fc.nat(50),
});
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

const some = <T>(values: readonly T[]): fc.Arbitrary<T[]> =>
  fc.oneof(fc.constant<T[]>([]), fc.subarray([...values], { maxLength: 2 }));
const asked = fc.record({
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
  sort: fc.constantFrom(...(Object.keys(SORTS) as SortKey[])),
  size: fc.constantFrom(1, 3, 100),
  number: fc.constantFrom(1, 1, 2, 4),
});
type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never;

const pick = <T>(values: readonly T[], at: number): T => values[at % values.length] as T;

function effective({ projectKeys, locked }: Model, workspace: Kept): Map<string, string> {
  const found = new Map(projectKeys.get(workspace.project));
  for (const [key, value] of workspace.keys) if (!found.has(key) || !locked.has(key)) found.set(key, value);
  return found;
}

/** The names on a page and the number of all, by the plainest of ways. */
function naive(model: Model, query: Asked): { names: string[]; total: number } {
  const { who, project, name, wildcardName, tags, excludedTags, bindings, isUnion, runStatuses, sort } = query;
  const pattern = new RegExp(`^${(wildcardName ?? '*').replaceAll('*', '.*')}$`, 'i');
  const isSeen = ({ teams, project: its }: Kept) =>
    who === 'all' || who.some((team) => teams.get(team) === 1 || model.shownProjects.get(team)?.has(its));
  const carries = (one: Kept, tag: string) => one.tags.has(tag) || effective(model, one).has(tag);
  const has = (one: Kept, { key, value }: Asked['bindings'][number]) =>
    value === null ? effective(model, one).has(key) : effective(model, one).get(key) === value;
  const found = model.workspaces.filter(
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
      (runStatuses.length === 0 || runStatuses.includes(one.status ?? '')),
  );
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
  return { names: sorted.slice(offset, offset + query.size).map((one) => one.name), total: found.length };
}

describe.each(everyDatabase)('every way to list on %s', (kind) => {
  let opened: TestDatabase;
  let db: Database;
  let runs = 0;
  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    db = opened.database;
    await migrate(db, 'workspaces', workspacesMigrations);
  }, 60_000);
  afterAll(() => opened.close());

  const write = (text: string, params: Params) => db.run(sql<Params>(text), params);

  async function begin(): Promise<{ model: Model; organization: string; id: (name: string) => string }> {
    const run = ++runs;
    const id = (name: string) => `${name}-r${run}`;
    const organization = id('org');
    await write(
      `INSERT INTO organization (id, name, email, default_project_id, default_execution_mode,
         allow_force_delete_workspaces, created_at, workspace_count)
       VALUES (:id, :id, 'a@example.com', 'none', 'remote', 0, 0, 0)`,
      { id: organization },
    );
    for (const name of PROJECTS) {
      await write(
        'INSERT INTO project (id, organization_id, name, workspace_count, created_at) VALUES (:id, :organization, :id, 0, 0)',
        { id: id(name), organization },
      );
    }
    for (const name of TEAMS) {
      await write(
        `INSERT INTO team (id, organization_id, name, owners, visibility, access, created_at)
         VALUES (:id, :organization, :id, 0, 'secret', '{}', 0)`,
        { id: id(name), organization },
      );
    }
    for (const name of TAGS) {
      await write(
        'INSERT INTO tag (id, organization_id, name, instance_count, created_at) VALUES (:id, :organization, :name, 0, 0)',
        { id: id(name), organization, name },
      );
    }
    const model = { workspaces: [], projectKeys: new Map(), locked: new Set<string>(), shownProjects: new Map() };
    return { model, organization, id };
  }

  /** In the database what the stores write, and the same in the model. */
  async function happen(model: Model, organization: string, id: (name: string) => string, what: Happening) {
    const { kind: happens, at, one, two } = what;
    const target = model.workspaces.length === 0 ? undefined : pick(model.workspaces, at);
    const isFree = (name: string) => !model.workspaces.some((other) => !other.deleted && other.name === name);
    const name = pick(NAMES, one);
    if (happens === 'create') {
      if (!isFree(name)) return;
      const made = { id: id(`ws-${model.workspaces.length}`), name, project: pick(PROJECTS, two), changedAt: one % 5 };
      const none = {
        deleted: false,
        runAt: null,
        status: null,
        tags: new Set<string>(),
        keys: new Map(),
        teams: new Map(),
      };
      model.workspaces.push({ ...made, ...none });
      await write(
        `INSERT INTO workspace (id, organization_id, project_id, name, settings, resource_count, version, created_at,
           updated_at, latest_change_at) VALUES (:id, :organization, :project, :name, '{}', 0, 1, 0, 0, :changedAt)`,
        { ...made, organization, project: id(made.project) },
      );
    } else if (happens === 'projectKey') {
      const [project, key, value] = [pick(PROJECTS, at), pick(KEYS, one), pick([...VALUES, undefined], two)];
      const keys = model.projectKeys.get(project) ?? new Map<string, string>();
      model.projectKeys.set(project, keys);
      const place = { project: id(project), key };
      await write('DELETE FROM project_tag_binding WHERE project_id = :project AND key = :key', place);
      keys.delete(key);
      if (value === undefined) return;
      keys.set(key, value);
      await write(
        `INSERT INTO project_tag_binding (id, organization_id, project_id, key, value, created_at)
         VALUES (:id, :organization, :project, :key, :value, 0)`,
        { ...place, id: `${place.project}-${key}`, organization, value },
      );
    } else if (happens === 'lock') {
      const key = pick(KEYS, one);
      const row = { id: id(`rtk-${key}`), organization, key, locked: two % 2 };
      await write(
        `INSERT INTO reserved_tag_key (id, organization_id, key, disable_overrides, created_at, updated_at)
         VALUES (:id, :organization, :key, :locked, 0, 0)
         ON CONFLICT (id) DO UPDATE SET disable_overrides = excluded.disable_overrides`,
        row,
      );
      if (row.locked === 1) model.locked.add(key);
      else model.locked.delete(key);
    } else if (happens === 'projectGrant') {
      const [project, team] = [pick(PROJECTS, at), pick(TEAMS, one)];
      const shown = model.shownProjects.get(team) ?? new Set<string>();
      model.shownProjects.set(team, shown);
      const place = { team: id(team), project: id(project) };
      await write('DELETE FROM team_project WHERE team_id = :team AND project_id = :project', place);
      shown.delete(project);
      if (two % 2 === 0) return;
      shown.add(project);
      await write(
        `INSERT INTO team_project (id, team_id, project_id, access, project_custom, custom, shows, created_at)
         VALUES (:id, :team, :project, 'read', '{}', '{}', 1, 0)`,
        { ...place, id: `${place.team}-${place.project}` },
      );
    } else if (target !== undefined) await happenTo(id, target, what, isFree);
    await count(model, organization, id);
  }

  async function happenTo(
    id: (name: string) => string,
    target: Kept,
    { kind: happens, one, two }: Happening,
    isFree: (name: string) => boolean,
  ) {
    const organization = id('org');
    const rename = async (stored: string) => {
      await write('UPDATE workspace SET name = :stored WHERE id = :id', { id: target.id, stored });
      for (const table of ['workspace_tag', 'tag_binding']) {
        await write(`UPDATE ${table} SET workspace_name = :stored WHERE workspace_id = :id`, { id: target.id, stored });
      }
    };
    if (happens === 'restore') {
      if (!target.deleted || !isFree(target.name)) return;
      target.deleted = false;
      await rename(target.name);
    }
    if (target.deleted) return;
    const name = pick(NAMES, one);
    if (happens === 'rename' && isFree(name)) {
      target.name = name;
      await rename(name);
    } else if (happens === 'move') {
      target.project = pick(PROJECTS, one);
      await write('UPDATE workspace SET project_id = :project WHERE id = :id', {
        id: target.id,
        project: id(target.project),
      });
    } else if (happens === 'delete') {
      target.deleted = true;
      target.tags.clear();
      target.keys.clear();
      await write('DELETE FROM workspace_tag WHERE workspace_id = :id', { id: target.id });
      await write('DELETE FROM tag_binding WHERE workspace_id = :id', { id: target.id });
      await write('DELETE FROM team_workspace WHERE workspace_id = :id', { id: target.id });
      target.teams.clear();
      await rename(`~${target.id}`);
    } else if (happens === 'tag') {
      const tag = pick(TAGS, one);
      const link = { workspace: target.id, tag: id(tag) };
      if (target.tags.delete(tag)) {
        await write('DELETE FROM workspace_tag WHERE workspace_id = :workspace AND tag_id = :tag', link);
      } else {
        target.tags.add(tag);
        await write(
          'INSERT INTO workspace_tag (tag_id, workspace_name, workspace_id) VALUES (:tag, :name, :workspace)',
          { ...link, name: target.name },
        );
      }
    } else if (happens === 'key') {
      const [key, value] = [pick(KEYS, one), pick([...VALUES, undefined], two)];
      target.keys.delete(key);
      if (value === undefined) {
        await write('DELETE FROM tag_binding WHERE workspace_id = :id AND key = :key', { id: target.id, key });
        return;
      }
      target.keys.set(key, value);
      await write(
        `INSERT INTO tag_binding (id, organization_id, workspace_id, workspace_name, key, value, created_at)
         VALUES (:id, :organization, :workspace, :name, :key, :value, 0)
         ON CONFLICT (workspace_id, key) DO UPDATE SET value = excluded.value`,
        { id: `${target.id}-${key}`, organization, workspace: target.id, name: target.name, key, value },
      );
    } else if (happens === 'grant') {
      const team = pick(TEAMS, one);
      const shows = two % 3;
      const grant = { id: `${target.id}-${team}`, team: id(team), workspace: target.id };
      if (shows === 2) {
        target.teams.delete(team);
        await write(
          'DELETE FROM team_workspace WHERE workspace_id = :workspace AND team_id = :team AND id = :id',
          grant,
        );
        return;
      }
      target.teams.set(team, shows);
      await write(
        `INSERT INTO team_workspace (id, team_id, workspace_id, workspace_name, project_id, access, custom, shows,
           created_at) VALUES (:id, :team, :workspace, :name, :project, 'custom', '{}', :shows, 0)
         ON CONFLICT (workspace_id, team_id) DO UPDATE SET shows = excluded.shows`,
        { ...grant, name: target.name, project: id(target.project), shows },
      );
    } else if (happens === 'change') {
      target.changedAt = one;
      await write('UPDATE workspace SET latest_change_at = :one WHERE id = :id', { id: target.id, one });
    } else if (happens === 'run') {
      target.runAt = 1 + (one % 7);
      target.status = pick(STATUSES, two);
      await write('UPDATE workspace SET current_run_created_at = :runAt, current_run_status = :status WHERE id = :id', {
        id: target.id,
        runAt: target.runAt,
        status: target.status,
      });
    }
  }

  /** The counters that stores keep. */
  async function count(model: Model, organization: string, id: (name: string) => string) {
    const there = model.workspaces.filter((one) => !one.deleted);
    await write('UPDATE organization SET workspace_count = :count WHERE id = :organization', {
      organization,
      count: there.length,
    });
    for (const project of PROJECTS) {
      const inProject = there.filter((one) => one.project === project).length;
      await write('UPDATE project SET workspace_count = :count WHERE id = :id', { id: id(project), count: inProject });
    }
    for (const tag of TAGS) {
      const tagged = there.filter((one) => one.tags.has(tag)).length;
      await write('UPDATE tag SET instance_count = :count WHERE id = :id', { id: id(tag), count: tagged });
    }
  }

  async function check(
    model: Model,
    organization: string,
    id: (name: string) => string,
    rosters: Rosters,
    query: Asked,
  ) {
    const { who, project, size, number, ...rest } = query;
    const grant: Grant =
      who === 'all'
        ? { organizationId: organization, teamIds: [], owner: true, access: ALL_ACCESS }
        : { organizationId: organization, teamIds: who.map(id), owner: false, access: NO_ACCESS };
    const there = model.workspaces.filter((one) => !one.deleted && (project === undefined || one.project === project));
    const projectId = project === undefined ? undefined : id(project);
    const scope = { organizationId: organization, projectId, grant, count: there.length };
    const filter: ListFilter = { ...EVERYTHING, ...rest };
    const page = { number, size, offset: (number - 1) * size };
    const wanted = naive(model, query);
    const namesOf = ({ items, total }: { items: readonly { name: string }[]; total: number }) => ({
      names: items.map((item) => item.name),
      total,
    });
    expect(namesOf(await queryWorkspaces(db, scope, filter, page)), 'asked of the database').toEqual(wanted);
    await rosters.of(db, organization, async () => true);
    expect(namesOf(await listWorkspaces(db, scope, filter, page, rosters)), 'asked of the roster').toEqual(wanted);
  }

  test('gives what a plain search gives, whatever has happened in between', async () => {
    const rounds = fc.array(
      fc.record({
        before: fc.array(happening, { minLength: 5, maxLength: 25 }),
        queries: fc.array(asked, { minLength: 12, maxLength: 25 }),
      }),
      { minLength: 3, maxLength: 4 },
    );
    const property = fc.asyncProperty(rounds, async (given) => {
      const { model, organization, id } = await begin();
      const rosters = new Rosters();
      for (const { before, queries } of given) {
        for (const what of before) await happen(model, organization, id, what);
        for (const query of queries) await check(model, organization, id, rosters, query);
      }
    });
    await fc.assert(property, { numRuns: kind === 'sqlite' || postgresUrl ? 15 : 3, endOnFailure: true });
  }, 240_000);

  // SQLite has one writer, and PGlite one connection.
  test.runIf(kind === 'postgres' && postgresUrl)(
    'has what was begun before another change and stored after it',
    async () => {
      const { model, organization, id } = await begin();
      for (const one of [0, 1, 2]) await happen(model, organization, id, { kind: 'create', at: 0, one, two: 0 });
      const rosters = new Rosters();
      const grant: Grant = { organizationId: organization, teamIds: [], owner: true, access: ALL_ACCESS };
      const scope = { organizationId: organization, projectId: undefined, grant, count: 3 };
      const page = { number: 1, size: 10, offset: 0 };
      const names = async () => {
        await rosters.of(db, organization, async () => true);
        return (await listWorkspaces(db, scope, EVERYTHING, page, rosters)).items.map(({ name }) => name);
      };
      expect(await names()).toEqual(['App-2', 'app', 'db']);
      const rename = sql<{ id: string; name: string }>('UPDATE workspace SET name = :name WHERE id = :id');
      const [begun, seen] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const slow = db.transaction(async (tx) => {
        // In tables as small as these, serializable units are rolled back and tried again for being beside one another.
        await tx.run(sql('SET TRANSACTION ISOLATION LEVEL READ COMMITTED'), {});
        await tx.run(rename, { id: id('ws-0'), name: 'slow' });
        begun.resolve();
        await seen.promise;
      });
      await begun.promise;
      await db.run(rename, { id: id('ws-2'), name: 'quick' });
      expect(await names()).toEqual(['App-2', 'app', 'quick']);
      seen.resolve();
      await slow;
      expect(await names()).toEqual(['App-2', 'quick', 'slow']);
    },
  );
});
