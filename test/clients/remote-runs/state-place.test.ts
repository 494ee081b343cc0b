import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { archiveOf } from '../../support/runner/run.ts';
import { ENGINES } from '../support/engines.ts';
import { ORGANIZATION } from '../tofu/installation.ts';
import tofu from '../tofu/module.json' with { type: 'json' };
import { eventually, flat, Remote } from './remote.ts';

type Files = Readonly<Record<string, string>>;
interface Uploaded {
  readonly files: Files;
  readonly run?: object;
}

const ALL = [...ENGINES, { kind: 'opentofu' as const, version: tofu.version.slice(1) }];
const ENDS = ['applied', 'errored', 'planned_and_finished', 'canceled', 'discarded'];
const TWO = 'resource "terraform_data" "one" { input = "1" }\nresource "terraform_data" "two" { input = "2" }\n';
/** A state file of the user, with a resource that is not in the workspace. */
const STRAY = JSON.stringify({
  ...{
    version: 4,
    terraform_version: '1.9.0',
    serial: 7,
    lineage: 'b9c8a3a6-1111-2222-3333-444444444444',
    outputs: {},
  },
  resources: [
    {
      ...{ mode: 'managed', type: 'terraform_data', name: 'stray' },
      provider: 'provider["terraform.io/builtin/terraform"]',
      instances: [{ schema_version: 0, attributes: { id: 'stray' } }],
    },
  ],
});
const elsewhere = (path: string): string => `terraform {\n  backend "local" {\n    path = "${path}"\n  }\n}\n`;

let server: Remote;
beforeAll(async () => {
  server = await Remote.start();
});
afterAll(() => server.stop());

/**
 * Creates a workspace.
 * @returns a function that uploads configurations to it
 */
async function workspace(name: string, engine: (typeof ALL)[number], settings: object = {}) {
  const { installation } = server;
  const path = `/api/v2/organizations/${ORGANIZATION}/workspaces`;
  const id = await installation.create(path, 'workspaces', {
    ...{ name, engine: engine.kind, 'engine-version': engine.version, 'auto-apply': true },
    ...settings,
  });
  const start = async ({ files, run = {} }: Uploaded): Promise<string> => {
    const made = await installation.call('POST', `/api/v2/workspaces/${id}/configuration-versions`, {
      body: { data: { type: 'configuration-versions', attributes: { 'auto-queue-runs': false } } },
    });
    const { pathname, search } = new URL(made.body.data.attributes['upload-url']);
    const headers = { 'content-type': 'application/octet-stream' };
    await installation.call('PUT', pathname + search, { body: await archiveOf(files), headers });
    return await installation.create('/api/v2/runs', 'runs', run, {
      workspace: { data: { type: 'workspaces', id } },
      'configuration-version': { data: { type: 'configuration-versions', id: made.body.data.id } },
    });
  };
  const endOf = async (run: string, ends: readonly string[] = ENDS) => {
    const read = async () => (await installation.call('GET', `/api/v2/runs/${run}?include=plan,apply`)).body;
    await eventually(async () => expect((await read()).data.attributes.status).toBeOneOf([...ends]));
    const { data, included } = await read();
    const logs: string[] = [];
    for (const { attributes } of included) {
      const { pathname } = new URL(attributes['log-read-url']);
      logs.push((await installation.call('GET', `${pathname}?limit=1000000&offset=0`)).text);
    }
    return { status: data.attributes.status, log: flat(logs.join('\n')) };
  };
  return {
    id,
    start,
    endOf,
    upload: async (uploaded: Uploaded) => endOf(await start(uploaded)),
    resources: () => server.resources(name),
    outputs: async () => JSON.parse(await installation.storedState(name)).outputs,
    variable: (key: string, value: string, more: object = {}) => server.variable(name, key, value, more),
  };
}

describe.concurrent.each(ALL)('$kind $version', (engine) => {
  const make = (what: string, settings: object = {}) =>
    workspace(`${what}-${engine.kind}-${engine.version.replaceAll('.', '-')}`, engine, settings);

  it('a configuration below the working directory destroys nothing', async () => {
    const here = await make('deeper');
    expect(await here.upload({ files: { 'main.tf': TWO } })).toMatchObject({ status: 'applied' });
    for (const files of [
      { 'repo-main/main.tf': TWO, 'repo-main/README.md': 'x' },
      { '.hidden.tf': TWO, 'main.tf~': TWO, 'README.md': 'x' },
      ...(engine.kind === 'terraform' ? [{ 'main.tofu': TWO }] : []),
    ] as Files[]) {
      const { status, log } = await here.upload({ files });
      expect(status, log).toBe('errored');
      expect(log).toContain('The working directory "/" of the archive has no ');
      for (const name of Object.keys(files)) expect(log).toContain(JSON.stringify(name.replace(/\/.*/, '/')));
    }
    expect(await here.resources()).toEqual(['terraform_data.one', 'terraform_data.two']);
    // Only a destroy run removes the resources.
    const destroyed = await here.upload({ files: { 'README.md': 'x' }, run: { 'is-destroy': true } });
    expect(destroyed, destroyed.log).toMatchObject({ status: 'applied' });
    expect(await here.resources()).toEqual([]);
  });

  it('a working directory without configuration is refused with its path', async () => {
    const here = await make('live', { 'working-directory': 'live/app' });
    const { status, log } = await here.upload({ files: { 'main.tf': TWO, 'live/app/x.txt': '' } });
    expect([status, log]).toEqual(['errored', expect.stringContaining('"/live/app"')]);
    expect(log).toContain('found: "x.txt"');
  });

  it.each([
    ['an override that comes last', { 'zzzzz_override.tf': elsewhere('/tmp/elsewhere.tfstate') }],
    ['an override in JSON', { '~_override.tf.json': '{"terraform":{"backend":{"local":{"path":"x.tfstate"}}}}' }],
    ['an override of our name', { 'zzzz_lockkeeper_override.tf': elsewhere('x.tfstate') }],
    ['a file of OpenTofu beside it', { 'zzzz_lockkeeper_override.tofu': elsewhere('x.tfstate') }],
    ['the last possible name', { '\u{10ffff}_override.tf': elsewhere('x.tfstate') }],
    ['a cloud block', { 'cloud.tf': 'terraform {\n  cloud {\n    workspaces {\n      name = "x"\n    }\n  }\n}\n' }],
    ['a backend', { 'backend.tf': 'terraform {\n  backend "http" {\n    address = "http://127.0.0.1:1"\n  }\n}\n' }],
    ['a state beside it', { 'terraform.tfstate': STRAY, 'terraform.tfstate.d/other/terraform.tfstate': STRAY }],
    [
      'what another machine left in .terraform',
      {
        '.terraform/terraform.tfstate': JSON.stringify({
          ...{ version: 3, serial: 1, lineage: '', terraform_version: '1.9.0' },
          backend: { type: 'http', config: { address: 'http://127.0.0.1:1' }, hash: 1 },
        }),
        '.terraform/environment': 'elsewhere',
        '.terraform/plugin_path': '["/nowhere"]',
        '.terraformrc': 'provider_installation {}',
        'terraform.tfstate.lock.info': '{}',
      },
    ],
  ] as [string, Files][])('its state stays in the workspace: %s', async (what, files) => {
    const here = await make(`stays-${what.replaceAll(/[^a-z]+/gi, '-')}`);
    const { status, log } = await here.upload({ files: { 'main.tf': TWO, ...files } });
    expect(status, log).toBe('applied');
    expect(await here.resources()).toEqual(['terraform_data.one', 'terraform_data.two']);
    // The plan works with it, too.
    expect(await here.upload({ files: { 'main.tf': TWO, ...files } })).toMatchObject({
      status: 'planned_and_finished',
    });
  });

  it.each([
    '-state=x.tfstate',
    '-lock=false -state-out x.tfstate',
    '--backend=false',
    '-backend-config=path=x',
    '-force-copy',
  ])('options that lead to another state are refused: %s', async (options) => {
    const here = await make(`options-${options.replaceAll(/[^a-z]+/g, '-')}`);
    const refused = here.variable('TF_CLI_ARGS_plan', options, { category: 'env' });
    await expect(refused).rejects.toThrow(/TF_CLI_ARGS_plan has the option -/);
  });

  it('terraform.workspace is the name of the workspace, in the plan and in the apply', async () => {
    const here = await make('named');
    const name = `named-${engine.kind}-${engine.version.replaceAll('.', '-')}`;
    const files = {
      'main.tf': `output "at" { value = terraform.workspace }\nresource "terraform_data" "at" {
  input = terraform.workspace
  provisioner "local-exec" { command = "echo selected:$TF_WORKSPACE." }
}\n`,
    };
    const { status, log } = await here.upload({ files });
    expect(status, log).toBe('applied');
    expect((await here.outputs()).at.value).toBe(name);
    // Programs that a run starts select the workspace on their own.
    expect(log).toContain('selected:.');
    const same = await workspace(`default-${name}`, engine);
    const other = await same.upload({ files });
    expect(other.status, other.log).toBe('applied');
  });

  it('an apply uses the workspace name of its plan', async () => {
    const here = await make('renamed', { 'auto-apply': false });
    const named = 'resource "terraform_data" "at" { input = terraform.workspace }\n';
    const run = await here.start({ files: { 'main.tf': named } });
    await here.endOf(run, ['planned', 'errored']);
    const { installation } = server;
    const [name, ...version] = [`anew-${engine.kind}`, ...engine.version.split('.')];
    const attributes = { name: [name, ...version].join('-') };
    const path = `/api/v2/workspaces/${here.id}`;
    await installation.call('PATCH', path, { body: { data: { type: 'workspaces', attributes } } });
    await installation.call('POST', `/api/v2/runs/${run}/actions/apply`, { body: {} });
    const { status, log } = await here.endOf(run);
    expect(status, log).toBe('applied');
    expect(await installation.storedState(attributes.name)).toContain(`renamed-${engine.kind}`);
  });
});

describe.concurrent.each(ENGINES)('ephemeral variables, $kind $version', (engine) => {
  const EPHEMERAL = `
variable "tok" {
  type      = string
  ephemeral = true
}
variable "other" {
  default   = "usual"
  ephemeral = true
}
variable "unset" {
  default   = null
  ephemeral = true
}
variable "kept" { default = "kept" }
variable "size" { type = number }
resource "terraform_data" "a" {
  input = [var.kept, var.size]
  provisioner "local-exec" {
    command     = "test \\"$T/$O/$U\\" = of-the-run/set/none"
    environment = { T = var.tok, O = var.other, U = var.unset == null ? "none" : "some" }
  }
}
`;

  it('have the same values in the plan and the apply', async () => {
    const here = await workspace(`ephemeral-${engine.kind}`, engine, { 'auto-apply': false });
    await here.variable('tok', 'of-the-run', { sensitive: true });
    await here.variable('other', 'set');
    await here.variable('kept', 'kept');
    await here.variable('size', '3');
    await here.variable('nowhere', 'declared');
    const run = await here.start({ files: { 'main.tf': EPHEMERAL } });
    await here.endOf(run, ['planned', 'errored']);
    const { body } = await server.installation.call('GET', `/api/v2/workspaces/${here.id}/vars`);
    const changed = { data: { type: 'vars', attributes: { value: 'changed' } } };
    const { id } = body.data.find(({ attributes }: { attributes: { key: string } }) => attributes.key === 'tok');
    await server.installation.call('PATCH', `/api/v2/workspaces/${here.id}/vars/${id}`, { body: changed });
    await server.installation.call('POST', `/api/v2/runs/${run}/actions/apply`, { body: {} });
    const { status, log } = await here.endOf(run);
    expect(status, log).toBe('applied');
    expect(log).not.toContain('of-the-run');
  });
});
