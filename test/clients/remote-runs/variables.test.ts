import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { APP, readingFrom } from '../tofu/configurations.ts';
import { CLIENTS, flat, Remote } from './remote.ts';

const PLAIN = ['-no-color', '-input=false'];
const SECRET = 'a-secret-of-twenty-three';
const VARIABLES = `
variable "size" {}
variable "zones" { type = list(string) }
variable "password" {}
variable "TFC_RUN_ID" {}
resource "terraform_data" "app" {
  input = { size = var.size, zones = var.zones }
  provisioner "local-exec" { command = "echo colour $COLOUR, password $PASSWORD" }
}
resource "terraform_data" "other" {
  input = var.password
}
output "size" { value = var.size }
output "zone" { value = var.zones[1] }
output "run" { value = var.TFC_RUN_ID }
`;

let server: Remote;
beforeAll(async () => {
  server = await Remote.start();
});
afterAll(() => server.stop());

describe.concurrent.each(CLIENTS)('$client, $backend', ({ client, program, backend }) => {
  const nameOf = (what: string) => `${what}-${client}-${backend}`;
  const make = (what: string, configuration: string) =>
    server.project(nameOf(what), configuration, { program, backend });

  it('gets the variables of its workspace; sensitive values are not printed', async () => {
    const here = await make('variables', VARIABLES);
    const set = (key: string, value: string, more: object = {}) =>
      server.variable(nameOf('variables'), key, value, more);
    await set('size', 'large');
    await set('zones', '["a", "b"]', { hcl: true });
    await set('password', SECRET, { sensitive: true });
    await set('COLOUR', 'green', { category: 'env' });
    await set('PASSWORD', SECRET, { category: 'env', sensitive: true });
    const { code, stdout, stderr } = await here.run('apply', '-auto-approve', ...PLAIN);
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toContain('colour green, password');
    expect(stdout + stderr).not.toContain(SECRET);
    expect(await here.done('output', '-raw', 'size')).toBe('large');
    expect(await here.done('output', '-raw', 'zone')).toBe('b');
    expect(await here.done('output', '-raw', 'run')).toMatch(/^run-/);
    // The state contains the value, as it must.
    expect(await server.installation.storedState(nameOf('variables'))).toContain(SECRET);
  });

  it('names the variable without a value', async () => {
    const here = await make('missing', 'variable "size" {}\n');
    const { code, stdout, stderr } = await here.run('plan', ...PLAIN);
    expect([code, flat(stdout + stderr)]).toEqual([1, expect.stringContaining('No value for required variable')]);
  });

  it('reads outputs of a workspace that shares its state, and of no other', async () => {
    const producer = await make('producer', APP);
    await producer.apply();
    const consumer = await make('consumer', readingFrom(server.installation.host, nameOf('producer')));
    const refused = await consumer.run('plan', ...PLAIN);
    expect(refused.code).toBe(1);
    expect(flat(refused.stdout + refused.stderr)).toMatch(/Error: (Unable to find|Error loading|Failed)/);
    const { id } = await server.installation.workspace(nameOf('producer'));
    const body = { data: { type: 'workspaces', attributes: { 'global-remote-state': true } } };
    await server.installation.call('PATCH', `/api/v2/workspaces/${id}`, { body });
    await consumer.apply();
    expect(JSON.parse(await consumer.done('output', '-json', 'read'))).toEqual({ name: 'first', zones: ['a', 'b'] });
  });
});
