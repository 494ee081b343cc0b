import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plain } from '../tofu/configurations.ts';
import { CLIENTS, flat, Remote } from './remote.ts';

const PLAIN = ['-no-color', '-input=false'];
const TWO = plain('one') + plain('two');
const SIZED = `
variable "size" { default = "small" }
resource "terraform_data" "app" { input = var.size }
output "size" { value = var.size }
`;

let server: Remote;
beforeAll(async () => {
  server = await Remote.start();
});
afterAll(() => server.stop());

describe.concurrent.each(CLIENTS)('$client, $backend', ({ client, program, backend }) => {
  const nameOf = (what: string) => `${what}-${client}-${backend}`;
  const make = (what: string, configuration: string, settings = {}) =>
    server.project(nameOf(what), configuration, { program, backend, settings });

  it('a workspace that follows a repository: plans run, and the client itself refuses to apply', async () => {
    const here = await make('followed', plain('one'));
    const { id } = await server.installation.workspace(nameOf('followed'));
    await server.follow(id, 'acme/network');
    expect(flat(await here.done('plan', ...PLAIN))).toContain('Plan: 1 to add, 0 to change, 0 to destroy.');
    const { code, stderr } = await here.run('apply', '-auto-approve', ...PLAIN);
    expect([code, flat(stderr)]).toEqual([1, expect.stringContaining('Apply not allowed for workspaces with a VCS')]);
    expect((await server.run(nameOf('followed')))['plan-only']).toBe(true);
  });

  it('-target and -replace', async () => {
    const here = await make('some', TWO);
    const first = await here.apply('-target=terraform_data.one');
    expect(first).toContain('Plan: 1 to add, 0 to change, 0 to destroy.');
    expect(flat(first)).toContain('Warning: Resource targeting is in effect');
    expect(await server.resources(nameOf('some'))).toEqual(['terraform_data.one']);
    await here.apply();
    const replaced = await here.apply('-replace=terraform_data.two');
    expect(replaced).toContain('# terraform_data.two will be replaced, as requested');
    expect(replaced).toContain('Apply complete! Resources: 1 added, 0 changed, 1 destroyed.');
  });

  it('-refresh-only, and -refresh=false', async () => {
    const here = await make('refresh', TWO);
    await here.apply();
    expect(await here.done('plan', '-refresh=false', ...PLAIN)).toContain('No changes.');
    expect((await server.run(nameOf('refresh'))).refresh).toBe(false);
    expect(await here.done('plan', '-refresh-only', ...PLAIN)).toContain('No changes.');
    expect((await server.run(nameOf('refresh')))['refresh-only']).toBe(true);
    // A refresh-only apply adds this output to the state.
    here.write('main.tf', `${TWO}output "one" { value = terraform_data.one.output }\n`);
    const refreshed = await here.apply('-refresh-only');
    expect(refreshed).toContain('Apply complete! Resources: 0 added, 0 changed, 0 destroyed.');
    expect(await here.done('output', '-raw', 'one')).toBe('one');
  });

  it('-destroy, of the remaining resources', async () => {
    const here = await make('destroy', TWO);
    await here.apply();
    expect(await here.done('plan', '-destroy', ...PLAIN)).toContain('0 to add, 0 to change, 2 to destroy');
    expect(await here.apply('-destroy', '-target=terraform_data.two')).toContain('0 added, 0 changed, 1 destroyed');
    expect(await server.resources(nameOf('destroy'))).toEqual(['terraform_data.one']);
  });

  it('-var, and variable files', async () => {
    const here = await make('sized', SIZED);
    here.write('terraform.tfvars', 'size = "from a file"\n');
    await here.apply();
    expect(await here.done('output', '-raw', 'size')).toBe('from a file');
    here.write('own.auto.tfvars', 'size = "from another"\n');
    await here.apply();
    expect(await here.done('output', '-raw', 'size')).toBe('from another');
    const told = await here.run('apply', '-auto-approve', '-var=size=told', ...PLAIN);
    if (backend === 'remote') {
      expect([told.code, flat(told.stderr)]).toEqual([1, expect.stringContaining('Run variables are currently not')]);
      return;
    }
    expect(told.code, told.stdout + told.stderr).toBe(0);
    expect(await here.done('output', '-raw', 'size')).toBe('told');
  });

  it('-detailed-exitcode', async () => {
    const here = await make('exit', plain('one'));
    expect((await here.run('plan', '-detailed-exitcode', ...PLAIN)).code).toBe(2);
    await here.apply();
    expect((await here.run('plan', '-detailed-exitcode', ...PLAIN)).code).toBe(0);
  });

  it('refuses options that remote runs do not support', async () => {
    const here = await make('refused', plain('one'));
    const { code, stderr } = await here.run('plan', '-parallelism=3', ...PLAIN);
    expect([code, flat(stderr)]).toEqual([1, expect.stringContaining('parallelism')]);
  });

  it('works in a subfolder of the upload', async () => {
    const here = await make('inside', '', { 'working-directory': 'live/app' });
    mkdirSync(join(here.folder, 'live/app'), { recursive: true });
    mkdirSync(join(here.folder, 'modules/one'), { recursive: true });
    here.write('modules/one/main.tf', 'output "one" { value = basename(abspath("../..")) }\n');
    here.write('live/app/main.tf', 'module "one" { source = "../../modules/one" }\noutput "at" { value = path.cwd }\n');
    here.write('live/app/backend.tf', server.installation.backend(backend, `name = "${nameOf('inside')}"`));
    const inside = here.in('live/app');
    await inside.done('init', '-input=false');
    expect(await inside.apply()).toContain('Apply complete!');
    expect(await inside.done('output', '-raw', 'at')).toMatch(/\/live\/app$/);
  });

  it('-json', async () => {
    const here = await make('json', plain('one'));
    const { code, stdout } = await here.run('plan', '-json', '-input=false');
    expect(code, stdout).toBe(0);
  });
});

describe.concurrent.each(CLIENTS.filter(({ backend }) => backend === 'cloud'))('$client', ({ client, program }) => {
  it('prints plain text logs when the workspace disables structured output', async () => {
    const settings = { 'structured-run-output-enabled': false };
    const here = await server.project(`people-${client}`, plain('one'), { program, settings });
    const applied = stripVTControlCharacters(await here.apply());
    expect(applied).toContain('# terraform_data.one will be created');
    expect(applied).toContain('Apply complete! Resources: 1 added, 0 changed, 0 destroyed.');
    expect(applied).not.toMatch(/^\{/m);
  });

  it('-generate-config-out writes what an import needs', async () => {
    const imported = 'import {\n  to = terraform_data.old\n  id = "an-old-one"\n}\n';
    const here = await server.project(`imported-${client}`, imported, { program });
    const planned = await here.run('plan', '-generate-config-out=generated.tf', ...PLAIN);
    expect(planned.code, planned.stdout + planned.stderr).toBe(0);
    expect(planned.stdout).toContain('Plan: 1 to import, 0 to add, 0 to change, 0 to destroy.');
    expect(here.has('generated.tf')).toBe(true);
    expect(await here.apply()).toContain('1 imported, 0 added, 0 changed, 0 destroyed');
    expect(await server.resources(`imported-${client}`)).toEqual(['terraform_data.old']);
  });

  it('-generate-config-out writes the file of a failed plan, too', async () => {
    const wrong = 'variable "none" { default = [] }\nresource "terraform_data" "wrong" { input = var.none[0] }\n';
    const imported = 'import {\n  to = terraform_data.old\n  id = "an-old-one"\n}\n';
    const here = await server.project(`half-imported-${client}`, imported + wrong, { program });
    const { code, stdout, stderr } = await here.run('plan', '-generate-config-out=generated.tf', ...PLAIN);
    expect(code).toBe(1);
    expect(stdout).not.toContain('Failed to read JSON plan');
    expect(here.has('generated.tf'), stdout + stderr).toBe(true);
  });
});
