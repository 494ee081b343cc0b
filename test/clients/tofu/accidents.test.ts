import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installed } from '../support/installation.ts';
import { LARGE, plain, slow } from './configurations.ts';
import type { Credentials } from './credentials.ts';
import { Installation, ORGANIZATION } from './installation.ts';
import { APPLY, Project } from './project.ts';

const TOFU = join(installed.tofu, 'tofu');

let server: Installation;
beforeAll(async () => {
  server = await Installation.start();
});
afterAll(() => server.stop());

const project = async (credentials: Credentials, backend: 'cloud' | 'remote', name: string, configuration: string) => {
  const files = { 'backend.tf': server.backend(backend, `name = "${name}"`), 'main.tf': configuration };
  const made = new Project(server.surroundings(TOFU, credentials), files);
  await made.done('init', '-input=false');
  return made;
};

const resourcesOf = async (here: Project) =>
  (await here.done('state', 'list')).split('\n').filter((line) => line !== '');

describe.each([
  ['cloud', 'token'],
  ['remote', 'token'],
  ['cloud', 'certificate'],
  ['remote', 'certificate'],
] as const)('tofu, %s, with a %s', (backend, credentials) => {
  const nameOf = (what: string) => `${what}-${backend}-${credentials}`;

  it('one of two applies at once is refused, or waits: nothing is lost', async () => {
    const name = nameOf('contended');
    const first = await project(credentials, backend, name, slow('first'));
    const second = await project(credentials, backend, name, slow('first') + plain('second'));
    const applying = first.start(APPLY);
    await expect.poll(() => first.has('started'), { timeout: 30_000 }).toBe(true);
    const refused = await second.run(...APPLY);
    expect(refused.code).toBe(1);
    expect(refused.stderr.replaceAll(/\s+/g, ' ')).toContain(
      `workspace already locked (lock ID: "${ORGANIZATION}/${name}")`,
    );
    const waiting = second.start([...APPLY, '-lock-timeout=50s']);
    await expect.poll(() => waiting.printed(), { timeout: 30_000 }).toContain('Acquiring state lock');
    first.write('go', '');
    expect((await applying.ended).code).toBe(0);
    const waited = await waiting.ended;
    expect(waited.code, waited.stderr).toBe(0);
    expect(waited.stdout).toContain('1 added, 0 changed, 0 destroyed');
    expect(await resourcesOf(first)).toEqual(['terraform_data.first', 'terraform_data.second']);
  });

  it('a client that is killed during an apply leaves the old state, locked until a force-unlock', async () => {
    const name = nameOf('killed');
    const here = await project(credentials, backend, name, plain('kept'));
    await here.apply();
    const before = await here.done('state', 'pull');
    here.write('main.tf', plain('kept') + slow('lost'));
    const applying = here.start(APPLY);
    await expect.poll(() => here.has('started'), { timeout: 30_000 }).toBe(true);
    applying.process.kill('SIGKILL');
    here.write('go', '');
    await applying.ended;
    expect(await here.done('state', 'pull')).toBe(before);
    expect((await here.run(...APPLY)).stderr).toContain('workspace already locked');
    expect((await here.run('force-unlock', '-force', `${ORGANIZATION}/other`)).code).toBe(1);
    await here.done('force-unlock', '-force', `${ORGANIZATION}/${name}`);
    expect(await here.apply()).toContain('1 added');
    expect(await resourcesOf(here)).toEqual(['terraform_data.kept', 'terraform_data.lost']);
  });
});

it.each([
  ['cloud', 'token'],
  ['remote', 'token'],
  ['cloud', 'certificate'],
  ['remote', 'certificate'],
] as const)(
  'tofu, %s, with a %s: a server killed in the middle of an upload has the old state; then the client goes on',
  async (backend, credentials) => {
    const name = `crashed-${backend}-${credentials}`;
    const here = await project(credentials, backend, name, plain('small'));
    await here.apply();
    const before = await server.storedState(name);
    here.write('main.tf', plain('small') + LARGE);
    const halted = server.relay.haltAfter(1_000_000);
    const applying = here.start(APPLY);
    await Promise.race([halted, applying.ended.then(({ stderr }) => expect.fail(`no upload: ${stderr}`))]);
    await server.crash();
    expect(await server.storedState(name)).toBe(before);
    expect((await server.workspace(name)).attributes.locked).toBe(true);
    server.reconnect();
    const { code, stderr } = await applying.ended;
    expect(code, stderr).toBe(0);
    expect(await here.apply()).toContain('No changes.');
    expect((await server.storedState(name)).length).toBeGreaterThan(4_000_000);
  },
  180_000,
);
