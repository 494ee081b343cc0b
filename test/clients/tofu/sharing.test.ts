import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installed } from '../support/installation.ts';
import { APP, ENCRYPTION, readingFrom } from './configurations.ts';
import type { Credentials } from './credentials.ts';
import { type Backend, Installation, ORGANIZATION } from './installation.ts';
import { Project } from './project.ts';

const TOFU = join(installed.tofu, 'tofu');

let server: Installation;
beforeAll(async () => {
  server = await Installation.start();
});
afterAll(() => server.stop());

const project = (credentials: Credentials, backend: Backend, workspaces: string, configuration: string = APP) =>
  new Project(server.surroundings(TOFU, credentials), {
    'backend.tf': server.backend(backend, workspaces),
    'main.tf': configuration,
  });

describe.each(['token', 'certificate'] as const)('tofu with a %s', (credentials) => {
  it('cloud: workspaces by tags', async () => {
    const [one, two] = [`one-${credentials}`, `two-${credentials}`];
    const here = project(credentials, 'cloud', `tags = ["net", "${credentials}"]`);
    // Without a workspace there is nothing to select: tofu asks for the name of the first one.
    const first = await here.start(['init'], `${one}\n`).ended;
    expect(first.code, first.stderr).toBe(0);
    await here.done('workspace', 'new', two);
    expect((await server.workspace(two)).attributes['tag-names']).toEqual([credentials, 'net'].sort());
    await here.apply();
    await here.done('workspace', 'select', one);
    expect(await here.done('workspace', 'list')).toBe(`* ${one}\n  ${two}\n\n`);
    const refused = await here.run('workspace', 'delete', two);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('not empty')]);
    await here.done('workspace', 'delete', '-force', two);
    expect(await here.done('workspace', 'list')).toBe(`* ${one}\n\n`);
  });

  it('remote: workspaces by prefix', async () => {
    const here = project(credentials, 'remote', `prefix = "${credentials}-"`);
    await here.run('init', '-input=false');
    await here.done('workspace', 'new', 'one');
    await here.done('workspace', 'new', 'two');
    expect(await here.done('workspace', 'list')).toBe('  one\n* two\n\n');
    await here.done('workspace', 'select', 'one');
    await here.done('workspace', 'delete', 'two');
    expect(await here.done('workspace', 'show')).toBe('one\n');
    expect((await server.workspace(`${credentials}-one`)).attributes.name).toBe(`${credentials}-one`);
  });

  it('reads the outputs of another workspace', async () => {
    const name = `producer-${credentials}`;
    const producer = project(credentials, 'cloud', `name = "${name}"`);
    await producer.done('init', '-input=false');
    await producer.apply();
    const consumer = project(
      credentials,
      'cloud',
      `name = "consumer-${credentials}"`,
      readingFrom(server.relay.host, name),
    );
    await consumer.done('init', '-input=false');
    await consumer.apply();
    expect(JSON.parse(await consumer.done('output', '-json', 'read'))).toEqual({ name: 'first', zones: ['a', 'b'] });
  });

  it('uses the workspace from the environment', async () => {
    const name = `named-${credentials}`;
    const here = project(credentials, 'cloud', `tags = ["named", "${credentials}"]`);
    const other = await here.start(['init'], `other-${name}\n`).ended;
    expect(other.code, other.stderr).toBe(0);
    await here.done('workspace', 'new', name);
    await here.done('workspace', 'select', `other-${name}`);
    const named = here.with({ TF_WORKSPACE: name });
    await named.done('init', '-input=false');
    await named.apply();
    expect(await named.done('workspace', 'show')).toBe(`${name}\n`);
    const refused = await named.run('workspace', 'select', name);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('TF_WORKSPACE')]);
    expect(JSON.parse(await server.storedState(name))).toMatchObject({ resources: [{ name: 'app' }] });
    expect(await here.done('workspace', 'show')).toBe(`other-${name}\n`);
  });

  it.each(['cloud', 'remote'] as const)('%s: stores a state that the client has encrypted', async (backend) => {
    const name = `encrypted-${backend}-${credentials}`;
    const here = project(credentials, backend, `name = "${name}"`);
    await here.done('init', '-input=false');
    await here.apply();
    expect(JSON.parse(await server.storedState(name))).toHaveProperty('resources');
    here.write('backend.tf', server.backend(backend, `name = "${name}"`, ENCRYPTION));
    here.write('main.tf', APP.replace('first', 'second'));
    expect(await here.apply()).toContain('1 changed');
    const kept = JSON.parse(await server.storedState(name));
    expect(kept).toMatchObject({ encrypted_data: expect.any(String) });
    expect(kept).not.toHaveProperty('resources');
    // tofu sends outputs unencrypted in addition to the state.
    const { id } = await server.workspace(name);
    const outputs = await server.call('GET', `/api/v2/workspaces/${id}/current-state-version-outputs`);
    expect(outputs.body.data).toMatchObject([
      { attributes: { value: { name: 'second' } } },
      { attributes: { sensitive: true } },
    ]);
    expect(await here.apply()).toContain('No changes.');
    expect(JSON.parse(await here.done('output', '-json', 'app'))).toMatchObject({ name: 'second' });
  });
});

it('refuses outputs of another workspace without permission', async () => {
  const producer = project('token', 'cloud', 'name = "closed"');
  await producer.done('init', '-input=false');
  await producer.apply();
  const team = await server.create(`/api/v2/organizations/${ORGANIZATION}/teams`, 'teams', { name: 'readers' });
  const workspace = await server.create(`/api/v2/organizations/${ORGANIZATION}/workspaces`, 'workspaces', {
    name: 'reader',
  });
  const grant = (id: string, access: string) => {
    const relationships = {
      team: { data: { type: 'teams', id: team } },
      workspace: { data: { type: 'workspaces', id } },
    };
    return server.create('/api/v2/team-workspaces', 'team-workspaces', { access }, relationships);
  };
  await grant(workspace, 'write');
  const { body } = await server.call('POST', `/api/v2/teams/${team}/authentication-token`);
  const consumer = new Project(server.surroundings(TOFU, 'token', body.data.attributes.token), {
    'backend.tf': server.backend('cloud', 'name = "reader"'),
    'main.tf': readingFrom(server.relay.host, 'closed'),
  });
  await consumer.done('init', '-input=false');
  const refused = await consumer.run('plan', '-input=false', '-no-color');
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('closed')]);
  await grant((await server.workspace('closed')).id, 'read');
  await consumer.apply();
  expect(JSON.parse(await consumer.done('output', '-json', 'read'))).toMatchObject({ name: 'first' });
});
