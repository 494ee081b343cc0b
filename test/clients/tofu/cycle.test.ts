import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installed } from '../support/installation.ts';
import { APP } from './configurations.ts';
import type { Credentials } from './credentials.ts';
import { type Backend, Installation } from './installation.ts';
import { Project } from './project.ts';

const TOFU = join(installed.tofu, 'tofu');
/** Terraform of any version, where there is one on the PATH. */
const TERRAFORM = 'terraform';
const hasTerraform = spawnSync(TERRAFORM, ['version']).status === 0;

let server: Installation;
beforeAll(async () => {
  server = await Installation.start();
});
afterAll(() => server.stop());

/** The way from an empty folder to a state that was changed by hand. */
async function cycle(program: string, credentials: Credentials, backend: Backend): Promise<void> {
  const name = `cycle-${program === TOFU ? 'tofu' : program}-${credentials}-${backend}`;
  const files = { 'backend.tf': server.backend(backend, `name = "${name}"`), 'main.tf': APP };
  const here = new Project(server.surroundings(program, credentials), files);
  await here.done('init', '-input=false');
  expect((await here.run('plan', '-detailed-exitcode')).code).toBe(2);
  expect(await here.apply()).toContain('1 added');
  expect(await here.apply()).toContain('No changes.');
  expect(JSON.parse(await here.done('output', '-json'))).toMatchObject({
    app: { value: { name: 'first', zones: ['a', 'b'] } },
    secret: { value: 'hidden', sensitive: true },
  });
  const { data } = (await server.call('GET', `/api/v2/workspaces/${(await server.workspace(name)).id}/resources`)).body;
  expect(data).toMatchObject([{ attributes: { address: 'terraform_data.app', 'provider-type': 'terraform_data' } }]);

  here.write(
    'main.tf',
    APP.replaceAll(/\bapp"|\.app\b/g, (text) => text.replace('app', 'web')),
  );
  await here.done('state', 'mv', 'terraform_data.app', 'terraform_data.web');
  expect(await here.done('state', 'list')).toBe('terraform_data.web\n');
  const state = JSON.parse(await here.done('state', 'pull'));
  expect(state).toMatchObject({ serial: 2, resources: [{ name: 'web' }] });
  here.write('edited.tfstate', JSON.stringify({ ...state, serial: 3, resources: [] }));
  await here.done('state', 'push', 'edited.tfstate');
  here.write('foreign.tfstate', JSON.stringify({ ...state, serial: 9, lineage: crypto.randomUUID() }));
  expect((await here.run('state', 'push', 'foreign.tfstate')).code).toBe(1);
  await here.done('import', '-input=false', 'terraform_data.web', state.resources[0].instances[0].attributes.id);
  expect(JSON.parse(await here.done('state', 'pull'))).toMatchObject({ resources: [{ name: 'web' }] });
  expect((await server.workspace(name)).attributes).toMatchObject({ locked: false, 'resource-count': 1 });
}

const CASES = [
  ['cloud', 'token'],
  ['remote', 'token'],
  ['cloud', 'certificate'],
  ['remote', 'certificate'],
] as const;

describe('init, plan, apply, output, state mv, pull, push, import', () => {
  it.each(CASES)('tofu: %s, with a %s', (backend, credentials) => cycle(TOFU, credentials, backend));

  it.skipIf(!hasTerraform).each(CASES.slice(0, 2))('terraform: %s, with a %s', (backend, credentials) =>
    cycle(TERRAFORM, credentials, backend),
  );
});
