import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isDone, withoutAutomation } from '../../src/migration/index.ts';
import { databaseKinds } from '../support/databases.ts';
import { fullOrganization } from './support/full-organization.ts';
import { connect, moveTo, sourceOf, startTwoServers, type TwoServers } from './support/two-servers.ts';

describe.each(databaseKinds)('automation of an organization that moves, on %s', { timeout: 60_000 }, (kind) => {
  let servers: TwoServers;
  beforeAll(async () => {
    servers = await startTwoServers(kind);
    const { app } = await fullOrganization(servers.old);
    await set(`/workspaces/${app}`, 'workspaces', { 'auto-destroy-activity-duration': '14d' });
    await set(`/projects/${await projectId()}`, 'projects', { 'auto-destroy-activity-duration': '7d' });
  });
  afterAll(() => servers.stop());

  const set = async (path: string, type: string, attributes: object, server = servers.old) => {
    const { status, text } = await server.user('PATCH', `/api/v2${path}`, { data: { type, attributes } });
    expect(status, text).toBe(200);
  };
  const read = async (path: string, server = servers.fresh) => (await server.user('GET', `/api/v2${path}`)).body.data;
  const projectId = async () => {
    const { relationships } = await read('/organizations/acme/workspaces/network', servers.old);
    return relationships.project.data.id;
  };
  const source = () => sourceOf(connect(servers.old));
  const move = async () => moveTo(servers.fresh, withoutAutomation(await source()));
  /** Returns what acts by itself at the target. */
  const automation = async () => {
    const app = await read('/organizations/moved/workspaces/app');
    const network = await read('/organizations/moved/workspaces/network');
    const project = await read(`/projects/${network.relationships.project.data.id}`);
    const schedules = await Promise.all([
      read(`/workspaces/${app.id}/schedules`),
      read(`/projects/${project.id}/schedules`),
    ]);
    const duration = 'auto-destroy-activity-duration';
    return {
      durations: [app.attributes[duration], project.attributes[duration]],
      at: app.attributes['auto-destroy-at'],
      paused: schedules.flat().map(({ attributes }: { attributes: { paused: boolean } }) => attributes.paused),
      ids: schedules.flat().map(({ id }: { id: string }) => id),
    };
  };

  it('creates schedules paused and takes no auto-destroy times, and says so', async () => {
    const { notTaken } = await move();
    const about = notTaken.filter(({ why }) => why.includes('--automation')).map((note) => note.about);
    expect(about.toSorted()).toEqual([
      'auto-destroy of project Net work',
      'auto-destroy of workspace app',
      'schedule Net work: weekly',
      'schedule app: nightly',
    ]);
    expect(await automation()).toMatchObject({ durations: [null, null], at: null, paused: [true, true] });
    expect(isDone(await move())).toBe(true);
  });

  it('keeps a schedule running that a user has started here', async () => {
    const [nightly] = (await automation()).ids;
    await set(`/schedules/${nightly}`, 'schedules', { paused: false }, servers.fresh);
    expect(isDone(await move())).toBe(true);
    expect((await automation()).paused).toEqual([false, true]);
  });

  it('takes all of it when the user wants it, and keeps it when the import runs again', async () => {
    await moveTo(servers.fresh, await source());
    const taken = { durations: ['14d', '7d'], paused: [false, false] };
    expect(await automation()).toMatchObject(taken);
    expect(isDone(await move())).toBe(true);
    expect(isDone(await moveTo(servers.fresh, await source()))).toBe(true);
    expect(await automation()).toMatchObject(taken);
  });
});
