import fc from 'fast-check';
import { type Database, type Params, sql } from '../../../../../src/storage/index.ts';
import {
  ENGINES,
  KEYS,
  type Kept,
  MODES,
  type Model,
  NAMES,
  PROJECTS,
  STATUSES,
  TAGS,
  TEAMS,
  VALUES,
  VERSIONS,
} from './naive.ts';

/** One thing that happens: `[kind, which workspace, which of the others]`. */
const KINDS = ['create', 'rename', 'move', 'delete', 'restore', 'tag', 'key', 'projectKey', 'lock'] as const;
const MORE = ['grant', 'projectGrant', 'change', 'run', 'hold', 'settings', 'projectMode', 'state'] as const;
export const happening = fc.record({
  kind: fc.constantFrom(...KINDS, ...MORE, 'create', 'tag', 'grant'),
  at: fc.nat(50),
  one: fc.nat(50),
  two: fc.nat(50),
});
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

const pick = <T>(values: readonly T[], at: number): T => values[at % values.length] as T;

/** Organizations whose workspaces are stored twice: in the database, and in a model. */
export function happeningsIn(db: Database) {
  let runs = 0;
  let events = 0;
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
    const model = {
      ...{ workspaces: [], projectKeys: new Map(), locked: new Set<string>(), shownProjects: new Map() },
      projectModes: new Map(),
    };
    return { model, organization, id };
  }

  /** Writes the rows that the stores would write, and changes the model equally. */
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
        ...{ held: false, hasState: false, mode: null, engine: null, version: 'latest' },
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
    } else if (happens === 'projectMode') {
      const [project, mode] = [pick(PROJECTS, at), pick([...MODES, null], one)];
      model.projectModes.set(project, mode);
      await write('UPDATE project SET default_execution_mode = :mode WHERE id = :id', { id: id(project), mode });
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
    } else if (happens === 'hold') {
      await hold(target, !target.held);
    } else if (happens === 'settings') {
      Object.assign(target, {
        mode: pick([...MODES, null], one),
        engine: pick([...ENGINES, null], two),
        version: pick(VERSIONS, one),
      });
      const settings = { 'execution-mode': target.mode, engine: target.engine, 'engine-version': target.version };
      const text = JSON.stringify(settings);
      const change = 'UPDATE workspace SET settings = :text, execution_mode = :mode WHERE id = :id';
      await write(change, { id: target.id, text, mode: target.mode });
    } else if (happens === 'state') {
      target.hasState = true;
      await write('UPDATE workspace SET current_state_version_id = :state WHERE id = :id', {
        id: target.id,
        state: `sv-${one}`,
      });
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

  async function hold(target: Kept, isHeld: boolean) {
    target.held = isHeld;
    await write('UPDATE workspace SET lock_holder_type = :holder, lock_holder_id = :holder WHERE id = :id', {
      id: target.id,
      holder: isHeld ? 'users' : null,
    });
    if (isHeld) {
      await write(
        `INSERT INTO lock_event (id, workspace_id, holder_type, holder_id, holder_name, reason, locked_at, forced)
         VALUES (:event, :id, 'users', 'users', '', '', 0, 0)`,
        { id: target.id, event: `lke-${++events}` },
      );
    } else {
      await write('UPDATE lock_event SET unlocked_at = 1 WHERE workspace_id = :id AND unlocked_at IS NULL', {
        id: target.id,
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
    // On PostgreSQL a trigger counts the workspaces with a tag.
    for (const tag of db.dialect === 'sqlite' ? TAGS : []) {
      const tagged = there.filter((one) => one.tags.has(tag)).length;
      await write('UPDATE tag SET instance_count = :count WHERE id = :id', { id: id(tag), count: tagged });
    }
  }

  return { begin, happen };
}
