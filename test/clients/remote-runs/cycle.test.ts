import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plain } from '../tofu/configurations.ts';
import { Project } from '../tofu/project.ts';
import { CLIENTS, flat, Remote, TOFU } from './remote.ts';

const APP = `
resource "terraform_data" "app" { input = "first" }
output "app" { value = terraform_data.app.output }
`;
const PLAIN = ['-no-color', '-input=false'];

let server: Remote;
beforeAll(async () => {
  server = await Remote.start();
});
afterAll(() => server.stop());

describe.concurrent.each(CLIENTS)('$client, $backend', ({ client, program, backend }) => {
  const make = (what: string, configuration: string, settings = {}) =>
    server.project(`${what}-${client}-${backend}`, configuration, { program, backend, settings });
  const stateOf = (what: string) => server.resources(`${what}-${client}-${backend}`);

  it('plans, applies and destroys', async () => {
    const here = await make('cycle', APP);
    const planned = await here.done('plan', ...PLAIN);
    expect(planned).toContain('/runs/run-');
    expect(planned).toMatch(/^(OpenTofu|Terraform) v.+\non linux_.+\nInitializing plugins and modules\.\.\.$/m);
    expect(planned).toMatch(/^ {2}# terraform_data\.app will be created$/m);
    expect(planned).toContain('Plan: 1 to add, 0 to change, 0 to destroy.');
    expect(planned).not.toMatch(/^\{/m);

    const applied = await here.done('apply', '-auto-approve', ...PLAIN);
    expect(applied).toContain('terraform_data.app: Creation complete');
    expect(applied).toContain('Apply complete! Resources: 1 added, 0 changed, 0 destroyed.');
    expect(applied).toMatch(/^app = "first"$/m);
    expect(await here.done('output', '-raw', 'app')).toBe('first');
    expect(await here.done('state', 'list')).toBe('terraform_data.app\n');

    const same = await here.done('apply', '-auto-approve', ...PLAIN);
    expect(same).toContain('No changes.');
    expect(same).not.toContain('Apply complete');

    here.write('main.tf', APP.replace('first', 'second'));
    const changed = await here.start(['apply', '-no-color'], 'yes\n').ended;
    expect([changed.code, changed.stderr]).toEqual([0, '']);
    expect(changed.stdout).toContain('~ input  = "first" -> "second"');
    expect(changed.stdout).toContain('Do you want to perform these actions in workspace');
    expect(changed.stdout).toContain('Apply complete! Resources: 0 added, 1 changed, 0 destroyed.');

    const destroyed = await here.start(['destroy', '-no-color'], 'yes\n').ended;
    expect([destroyed.code, destroyed.stderr]).toEqual([0, '']);
    expect(destroyed.stdout).toContain('Plan: 0 to add, 0 to change, 1 to destroy.');
    expect(destroyed.stdout).toContain('Apply complete! Resources: 0 added, 0 changed, 1 destroyed.');
    expect(await stateOf('cycle')).toEqual([]);
  });

  it('discards a run that is not confirmed', async () => {
    const here = await make('refused', APP);
    const { code, stderr } = await here.start(['apply', '-no-color'], 'no\n').ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining('Apply discarded.')]);
    await server.runIs(`refused-${client}-${backend}`, 'discarded');
    // The discarded run does not block the queue.
    expect(await here.done('plan', ...PLAIN)).toContain('1 to add');
  });

  it('shows errors of a configuration', async () => {
    const here = await make('wrong', 'resource "terraform_data" "app" { input = nosuch.thing }');
    const { code, stdout, stderr } = await here.run('plan', ...PLAIN);
    expect(code).toBe(1);
    expect(flat(stdout + stderr)).toContain('Error: Reference to undeclared resource');
    expect(flat(stdout + stderr)).toContain('on main.tf line 1, in resource "terraform_data" "app":');
    await server.runIs(`wrong-${client}-${backend}`, 'errored');
  });

  it('shows the error of a failed apply, and keeps its state', async () => {
    const failing = 'provisioner "local-exec" { command = "echo it begins; exit 3" }';
    const broken = `resource "terraform_data" "broken" {\n  depends_on = [terraform_data.kept]\n  ${failing}\n}\n`;
    const here = await make('failing', plain('kept') + broken);
    const { code, stdout, stderr } = await here.run('apply', '-auto-approve', ...PLAIN);
    expect(code).toBe(1);
    expect(stdout).toMatch(/terraform_data\.broken:? \(local-exec\): it begins/);
    expect(flat(stdout + stderr)).toContain('Error: local-exec provisioner error');
    expect(stdout).not.toContain('Apply complete');
    expect((await stateOf('failing')).sort()).toEqual(['terraform_data.broken', 'terraform_data.kept']);
    here.write('main.tf', plain('kept'));
    expect(await here.done('apply', '-auto-approve', ...PLAIN)).toContain('0 added, 0 changed, 1 destroyed');
  });

  it('applies changes that affect only outputs', async () => {
    const here = await make('outputs', 'output "one" { value = "1" }\n');
    const applied = await here.done('apply', '-auto-approve', ...PLAIN);
    expect(applied).toContain('Changes to Outputs:');
    expect(applied).toContain('Apply complete! Resources: 0 added, 0 changed, 0 destroyed.');
    expect(await here.done('output', '-raw', 'one')).toBe('1');
  });

  it('applies automatically when the workspace has auto-apply', async () => {
    const here = await make('auto', APP, { 'auto-apply': true });
    const { code, stdout } = await here.start(['apply', '-no-color'], 'yes\n').ended;
    expect(code, stdout).toBe(0);
    expect(stdout).toContain('1 added, 0 changed, 0 destroyed');
    // With the `cloud` block the client sends whether to apply automatically; with the `remote` backend the workspace
    // decides.
    expect(stdout.includes('Do you want to perform these actions')).toBe(backend === 'cloud');
  });
});

it('tofu creates the workspace itself, and the server executes its runs', async () => {
  const { installation } = server;

  const here = new Project(installation.surroundings(TOFU, 'certificate'), {
    'backend.tf': installation.backend('cloud', 'name = "made-by-tofu"'),
    'main.tf': APP,
  });
  await here.done('init', '-input=false');
  expect((await installation.workspace('made-by-tofu')).attributes).toMatchObject({ 'execution-mode': 'remote' });
  expect(await here.apply()).toContain('1 added, 0 changed, 0 destroyed');
});
