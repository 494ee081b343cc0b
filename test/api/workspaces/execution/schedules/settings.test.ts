import { afterEach, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import { NOT_STARTED, withAgentPool } from '../../support/agent-pool.ts';
import type { Answer, Caller } from '../../support/api.ts';
import { newTeamMember } from '../../support/organization.ts';
import { DAY, NIGHTLY, schedulesOf, type TestSchedules } from '../../support/schedules.ts';

describe.each(databaseKinds)('settings of a schedule on %s', (kind) => {
  let { api, acme, runs } = NOT_STARTED;
  let schedules = {} as TestSchedules;
  let workspace = '';
  let path = '';
  withAgentPool(kind, async (made) => {
    ({ api, acme, runs } = made);
    schedules = schedulesOf(api, acme);
    schedules.until('12:00');
    workspace = await runs.workspace('one');
    path = `/workspaces/${workspace}`;
  });
  afterEach(() => schedules.clear());

  const faults = ({ status, text, body }: Answer): [string, string][] => {
    expect(status, text).toBe(422);
    return body.errors.map(({ detail, source }: { detail: string; source?: { pointer?: string } }) => {
      return [source?.pointer?.split('/').at(-1) ?? '', detail];
    });
  };

  test('have defaults, and show the next five times in the time zone', async () => {
    const { body } = await schedules.create(path, { 'time-zone': 'Europe/Berlin' });
    const { attributes, relationships } = body.data;
    expect(attributes).toMatchObject({
      ...{ ...NIGHTLY, 'time-zone': 'Europe/Berlin', jitter: 0, 'when-busy': 'skip', paused: false },
      ...{ inherited: false, excluded: false, 'last-time': null, 'last-outcome': null, 'waiting-count': 0 },
    });
    const times = attributes['next-times'].map((time: string) => Date.parse(time));
    expect(times).toHaveLength(5);
    expect(times[0]).toBeGreaterThan(api.now());
    expect(attributes['next-times'][0]).toMatch(/T0[01]:00:00/);
    expect(times[1] - times[0]).toBe(DAY);
    expect(relationships.workspace.data.id).toBe(workspace);
    expect((await schedules.listed(path)).map(({ id }: { id: string }) => id)).toEqual([body.data.id]);
    await acme.owner.call('DELETE', `/schedules/${body.data.id}`);
    expect(await schedules.listed(path)).toEqual([]);
  });

  test('are refused with all faults at once, and nothing is stored', async () => {
    const wrong = { name: ' ', cron: '* * * * *', 'time-zone': 'Mars/Base' };
    const found = faults(await schedules.create(path, wrong));
    expect(found.map(([attribute]) => attribute).toSorted()).toEqual(['cron', 'name', 'time-zone']);
    for (const [attributes, attribute] of [
      [{ cron: '0 0 0 * * *' }, 'cron'],
      [{ cron: '0 0 31 2 *' }, 'cron'],
      [{ cron: 'x'.repeat(121) }, 'cron'],
      [{ jitter: 3600, cron: '0 * * * *' }, 'jitter'],
      [{ jitter: 21_601 }, 'jitter'],
      [{ jitter: -1 }, 'jitter'],
      [{ operation: 'destroy' }, 'operation'],
      [{ 'when-busy': 'wait' }, 'when-busy'],
    ] as const) {
      expect(faults(await schedules.create(path, attributes))[0]?.[0], JSON.stringify(attributes)).toBe(attribute);
    }
    expect(await schedules.listed(path)).toEqual([]);
    const id = await schedules.made(path);
    expect(faults(await schedules.change(id, { cron: '0 25 * * *' }))[0]?.[0]).toBe('cron');
    expect((await schedules.show(id)).attributes.cron).toBe(NIGHTLY.cron);
  });

  test('a name is given once, and a workspace has at most 20 schedules', async () => {
    const first = await schedules.made(path);
    expect(faults(await schedules.create(path))).toEqual([['name', 'Name has already been taken']]);
    const second = await schedules.made(path, { name: 'second' });
    expect(faults(await schedules.change(second, { name: NIGHTLY.name }))[0]?.[0]).toBe('name');
    expect((await schedules.change(first, { name: NIGHTLY.name })).status).toBe(200);
    for (let n = 2; n < 20; n++) await schedules.made(path, { name: `number ${n}` });
    expect(faults(await schedules.create(path, { name: 'one more' }))[0]?.[1]).toContain('at most 20 schedules');
    const project = await acme.project('Platform');
    await schedules.made(`/projects/${project}`);
    expect((await schedules.create(`/projects/${project}`)).status).toBe(422);
  });

  test('parallel requests do not exceed the limit, and get a name once', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 16; n++) ids.push(await schedules.made(path, { name: `number ${n}` }));
    const created = await Promise.all(
      Array.from({ length: 8 }, (_, n) => schedules.create(path, { name: `parallel ${n}` })),
    );
    expect(created.map(({ status }) => status).toSorted()).toEqual([...Array(4).fill(201), ...Array(4).fill(422)]);
    expect(await schedules.listed(path)).toHaveLength(20);

    const renamed = await Promise.all(ids.slice(0, 8).map((id) => schedules.change(id, { name: 'the same' })));
    expect(renamed.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(422)]);
    for (const answer of renamed.filter(({ status }) => status === 422)) {
      expect(faults(answer)).toEqual([['name', 'Name has already been taken']]);
    }
    for (const { id } of await schedules.listed(path)) await acme.owner.call('DELETE', `/schedules/${id}`);
    const twins = await Promise.all([schedules.create(path), schedules.create(path), schedules.create(path)]);
    expect(twins.map(({ status }) => status).toSorted()).toEqual([201, 422, 422]);
  });

  test('a change of the times takes effect at the next one', async () => {
    const id = await schedules.made(path);
    await schedules.change(id, { cron: '30 3 * * *', name: 'later' });
    await schedules.at('02:00');
    expect(await schedules.outcomes(id)).toEqual([]);
    await schedules.at('03:30');
    expect(await schedules.outcomes(id)).toHaveLength(1);
    expect((await schedules.runsIn(workspace))[0]?.attributes.message).toBe('Scheduled: later');
  });

  test('the preview shows the next times, or the fault', async () => {
    const preview = (query: string) => acme.owner.call('GET', `/schedules/preview?${query}`);
    const { body } = await preview('cron=0+2+*+*+*&time-zone=Europe/Berlin');
    expect(body.data.attributes['next-times']).toHaveLength(5);
    const wrong = await preview('cron=61+2+*+*+*');
    expect(wrong.status).toBe(422);
    expect(wrong.body.errors[0]).toMatchObject({
      detail: 'Cron cannot be read: Invalid value for minute: 61',
      source: { parameter: 'cron' },
    });
    expect((await preview('cron=0+2+*+*+*&time-zone=x')).body.errors[0].source).toEqual({ parameter: 'time-zone' });
    expect((await preview('')).status).toBe(400);
  });

  describe('permissions', () => {
    const member = async (name: string, level: string, target: 'workspaces' | 'projects', id: string) => {
      const team = await acme.team(name);
      const type = target === 'workspaces' ? 'team-workspaces' : 'team-projects';
      const relationships = {
        team: { data: { type: 'teams', id: team } },
        [target.slice(0, -1)]: { data: { type: target, id } },
      };
      const data = { type, attributes: { access: level }, relationships };
      expect((await acme.owner.call('POST', `/${type}`, { data })).status).toBe(201);
      return newTeamMember(api, team, `${name}-${acme.name}`);
    };
    const organizationToken = async (): Promise<Caller> => {
      const { body } = await acme.owner.call('POST', `/organizations/${acme.name}/authentication-token`, {
        data: { type: 'authentication-tokens', attributes: {} },
      });
      return api.holder(body.data.attributes.token);
    };

    test('only administrators of the workspace change its schedules; all that see it read them', async () => {
      const id = await schedules.made(path, { operation: 'apply' });
      const admin = await member('admins', 'admin', 'workspaces', workspace);
      const writer = await member('writers', 'write', 'workspaces', workspace);
      const stranger = await api.user(`stranger-${acme.name}`);
      const statuses = async (by: Caller) => [
        (await by.call('GET', `/schedules/${id}`)).status,
        (await by.call('GET', `/schedules/${id}/outcomes`)).status,
        (await schedules.create(path, { name: by.token.slice(-8) }, by)).status,
        (await schedules.change(id, { paused: true }, by)).status,
        (await schedules.change(id, { paused: false }, by)).status,
      ];
      expect(await statuses(admin)).toEqual([200, 200, 201, 200, 200]);
      expect(await statuses(writer)).toEqual([200, 200, 404, 404, 404]);
      expect(await statuses(stranger)).toEqual([404, 404, 404, 404, 404]);
      expect((await writer.call('DELETE', `/schedules/${id}`)).status).toBe(404);
      expect((await schedules.show(id)).attributes.paused).toBe(false);
    });

    test('an organization token starts no runs, so it only pauses and deletes schedules', async () => {
      const id = await schedules.made(path, { operation: 'apply' });
      const token = await organizationToken();
      for (const operation of ['plan', 'apply', 'refresh', 'drift']) {
        expect((await schedules.create(path, { operation, name: operation }, token)).status, operation).toBe(404);
      }
      expect((await schedules.change(id, { paused: true }, token)).status).toBe(200);
      expect((await schedules.change(id, { paused: false }, token)).status).toBe(404);
      expect((await schedules.change(id, { operation: 'plan' }, token)).status).toBe(404);
      expect((await token.call('DELETE', `/schedules/${id}`)).status).toBe(204);
    });

    test('who may change a project, but start nothing in its workspaces, creates no schedule there', async () => {
      const project = await acme.project('Platform');
      const admin = await member('admins', 'admin', 'projects', project);
      const team = await acme.team('keepers');
      const data = {
        type: 'team-projects',
        attributes: {
          access: 'custom',
          'project-access': { settings: 'update' },
          'workspace-access': { runs: 'plan' },
        },
        relationships: {
          team: { data: { type: 'teams', id: team } },
          project: { data: { type: 'projects', id: project } },
        },
      };
      expect((await acme.owner.call('POST', '/team-projects', { data })).status).toBe(201);
      const keeper = await newTeamMember(api, team, `keeper-${acme.name}`);
      const of = `/projects/${project}`;
      expect((await schedules.create(of, { operation: 'plan', name: 'plan' }, keeper)).status).toBe(201);
      for (const operation of ['apply', 'refresh', 'drift']) {
        expect((await schedules.create(of, { operation, name: operation }, keeper)).status, operation).toBe(404);
        expect((await schedules.create(of, { operation, name: operation }, admin)).status, operation).toBe(201);
      }
      const [apply] = (await schedules.listed(of)).filter(
        ({ attributes }: { attributes: { operation: string } }) => attributes.operation === 'apply',
      );
      expect((await schedules.change(apply.id, { cron: '0 4 * * *' }, keeper)).status).toBe(404);
      expect((await schedules.change(apply.id, { paused: true }, keeper)).status).toBe(200);
      for (const { id } of await schedules.listed(of)) await acme.owner.call('DELETE', `/schedules/${id}`);
    });

    test('a user sees the outcomes of a project only in workspaces that they may see', async () => {
      const project = await acme.project('Platform');
      const inside = { project: { data: { type: 'projects', id: project } } };
      const one = await acme.workspace('seen', {}, inside);
      await acme.workspace('hidden', {}, inside);
      const id = await schedules.made(`/projects/${project}`);
      await schedules.at('02:00');
      const reader = await member('readers', 'read', 'workspaces', one);
      const { body } = await reader.call('GET', `/schedules/${id}/outcomes`);
      const names = body.data.map(({ attributes }: { attributes: object }) =>
        Reflect.get(attributes, 'workspace-name'),
      );
      expect(names).toEqual(['seen']);
      expect(await schedules.outcomes(id)).toHaveLength(2);
    });
  });
});
