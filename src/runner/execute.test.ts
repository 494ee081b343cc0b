import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hashOf, lockFile, placeOf } from '../../test/support/runner/pretended-providers.ts';
import { executeTrial, hasEngine, isolations, PLAN, planAndApply, type Trial } from '../../test/support/runner/run.ts';
import { zipOf } from '../../test/support/runner/zip.ts';
import { ProviderCache } from './index.ts';

const MAIN = `
variable "size" { default = "small" }
resource "terraform_data" "a" { input = var.size }
resource "terraform_data" "b" { input = "b" }
output "size" { value = terraform_data.a.output }
`;
const EACH = isolations.map((isolation) => ({ name: isolation.name, isolation }));
const variable = (key: string, value: string, more = {}) => ({
  key,
  value,
  category: 'terraform' as const,
  hcl: false,
  sensitive: false,
  ...more,
});
const THING = {
  'main.tf': 'terraform {\n  required_providers {\n    thing = { source = "registry.invalid/acme/thing" }\n  }\n}',
};

/** A folder of providers in the layout of `terraform providers mirror`, with a provider that does not work. */
function mirror(): string {
  const providers = mkdtempSync(join(tmpdir(), 'providers-'));
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const folder = join(providers, 'registry.invalid/acme/thing/1.2.3', `${process.platform}_${architecture}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'terraform-provider-thing_v1.2.3'), 'not a working provider', { mode: 0o755 });
  return providers;
}

/** A mirror in the configuration from which an engine unpacks the provider, as it does with a download. */
const fetched = (ending: string): Record<string, string | Uint8Array> => ({
  'engine.tfrc': 'provider_installation {\n  filesystem_mirror {\n    path = "mirror"\n  }\n}\n',
  [`mirror/registry.invalid/acme/thing/terraform-provider-thing_1.2.3_${placeOf('thing').split('/').at(-1)}.zip`]:
    zipOf([
      { name: 'terraform-provider-thing', content: Buffer.concat([readFileSync('/bin/true'), Buffer.from(ending)]) },
    ]),
});

const parameters = (changed: object) => ({ ...PLAN.parameters, ...changed });

describe.skipIf(!hasEngine).each(EACH)('a run, isolation $name (needs terraform)', ({ isolation }) => {
  const files = { 'main.tf': MAIN };

  test('is planned and applied, changed and destroyed', async () => {
    const first = await planAndApply({ isolation, files });
    expect(first.plan.end, first.plan.log).toEqual({
      kind: 'finished',
      step: 'plan',
      exit: 0,
      engine: { kind: 'terraform', version: expect.stringMatching(/^\d/) },
      hasChanges: true,
      counts: { additions: 2, changes: 0, destructions: 0, imports: 0 },
      packages: { providers: [], modules: [] },
    });
    expect(first.plan.log.split('\n').slice(0, 3)).toEqual([
      expect.stringMatching(/^Terraform v\d+\.\d+\.\d+/),
      expect.stringMatching(/^on linux_/),
      'Initializing plugins and modules...',
    ]);
    expect(first.plan.log).toContain('2 to add, 0 to change, 0 to destroy');
    expect(first.plan.states).toEqual([]);
    expect(JSON.parse(first.plan.planJson ?? '')).toMatchObject({
      planned_values: {},
      terraform_version: expect.any(String),
    });
    expect(first.apply.end, first.apply.log).toMatchObject({ step: 'apply', exit: 0, counts: { additions: 2 } });
    expect(first.apply.log).toContain('2 added, 0 changed, 0 destroyed');
    expect(outputOf(first.apply)).toBe('small');

    const variables = [variable('size', 'large')];
    const second = await planAndApply({ isolation, files, state: lastState(first.apply), job: { variables } });
    expect(second.plan.end, second.plan.log).toMatchObject({ counts: { additions: 0, changes: 1 } });
    expect(outputOf(second.apply)).toBe('large');

    const destroy = await planAndApply({
      isolation,
      files,
      state: lastState(second.apply),
      job: { parameters: parameters({ destroy: true }) },
    });
    expect(destroy.plan.end, destroy.plan.log).toMatchObject({ hasChanges: true, counts: { destructions: 2 } });
    expect(destroy.apply.end, destroy.apply.log).toMatchObject({ exit: 0, counts: { additions: 0, destructions: 2 } });
    expect(destroy.apply.log).toContain('2 destroyed');
    expect(JSON.parse(lastState(destroy.apply).toString()).resources).toEqual([]);
  });

  test('without changes leaves the state as it was', async () => {
    const { apply } = await planAndApply({ isolation, files });
    const again = await planAndApply({ isolation, files, state: lastState(apply) });
    expect(again.plan.end).toMatchObject({ exit: 0, hasChanges: false });
    expect(again.apply.end, again.apply.log).toMatchObject({ exit: 0 });
    expect(again.apply.states).toEqual([]);
  });

  test('targets and replaces', async () => {
    const target = await planAndApply({
      isolation,
      files,
      job: { parameters: parameters({ targets: ['terraform_data.b'] }) },
    });
    expect(target.plan.end, target.plan.log).toMatchObject({ counts: { additions: 1 } });
    const { apply } = await planAndApply({ isolation, files });
    const replace = await executeTrial({
      isolation,
      files,
      state: lastState(apply),
      job: { parameters: parameters({ replaces: ['terraform_data.a'] }) },
    });
    expect(replace.end, replace.log).toMatchObject({ counts: { additions: 1, changes: 0, destructions: 1 } });
  });

  test('prints structured lines', async () => {
    const { plan, apply } = await planAndApply({ isolation, files, job: { log: 'structured' } });
    expect(typesOf(plan.log)).toEqual(expect.arrayContaining(['version', 'planned_change', 'change_summary']));
    expect(apply.log).toContain('2 added, 0 changed, 0 destroyed');
    expect(apply.end).toMatchObject({ exit: 0, counts: { additions: 2, changes: 0, destructions: 0 } });
  });

  test('works in its working directory, with the files next to it', async () => {
    const job = { workspace: { ...PLAN.workspace, workingDirectory: 'envs/prod' } };
    const { plan, apply } = await planAndApply({
      isolation,
      job,
      files: {
        'envs/prod/main.tf':
          'module "m" { source = "../../modules/m" }\nterraform {\n  cloud {\n    organization = "x"\n  }\n}',
        'modules/m/main.tf': 'resource "terraform_data" "a" {}',
      },
    });
    expect(plan.end, plan.log).toMatchObject({ exit: 0, counts: { additions: 1 } });
    expect(apply.end, apply.log).toMatchObject({ exit: 0 });
  });

  test('has the files of its configuration during the apply', async () => {
    const { apply } = await planAndApply({
      isolation,
      files: {
        'main.tf': `
resource "terraform_data" "a" {
  provisioner "local-exec" { command = "cat beside" }
}
`,
        beside: 'brought along',
      },
    });
    expect(apply.log).toContain('brought along');
  });

  test('ends like its engine if the configuration is wrong', async () => {
    const init = await executeTrial({ isolation, files: { 'main.tf': 'module "m" { source = "./none" }' } });
    expect(init.end, init.log).toMatchObject({ kind: 'finished', step: 'init', exit: 1 });
    const plan = await executeTrial({
      isolation,
      files: { 'main.tf': 'output "x" { value = terraform_data.none.id }' },
    });
    expect(plan.end, plan.log).toMatchObject({ kind: 'finished', step: 'plan', exit: 1, hasChanges: null });
    expect(plan.folder).toBeUndefined();
  });

  test('gets providers of the agent from nowhere else', async () => {
    const { log } = await executeTrial({ isolation, parts: { providers: mirror() }, files: THING });
    expect(log).toContain('Installed registry.invalid/acme/thing v1.2.3');
  });

  test('gives downloaded providers to runs whose lock file has their hash', async () => {
    const cache = new ProviderCache({ folder: mkdtempSync(join(tmpdir(), 'cache-')), size: 1_000_000 });
    const job = { variables: [variable('TF_CLI_CONFIG_FILE', 'engine.tfrc', { category: 'env' })] };
    const fetching = { isolation, parts: { cache }, files: { ...THING, ...fetched('good') }, job };
    const locked = { ...fetching, files: { ...fetching.files, ...lockFile('thing', hashOf('thing', 'good')) } };
    const others = { ...locked.files, ...fetched('evil') };
    const [first, ...same] = await Promise.all(
      [1, 2, 3].map((n) => executeTrial({ ...locked, job: { ...job, runId: `run-${n}` } })),
    );
    for (const one of [first, ...same]) expect(one?.log).toContain('Installed registry.invalid/acme/thing v1.2.3');
    for (let n = 0; n < 2; n += 1) {
      expect((await executeTrial({ ...locked, files: others })).log).toMatch(
        /Using (registry.invalid\/acme\/thing v1.2.3 from the shared cache directory|previously-installed)/,
      );
    }
    const unlocked = await executeTrial({ ...fetching, files: { ...THING, ...fetched('evil') } });
    expect(unlocked.log).toContain('Installed registry.invalid/acme/thing v1.2.3');
    expect((await executeTrial({ ...locked, parts: {}, files: others })).log).toContain('Failed to install provider');
  });

  test('gives the engine access to the server, not visible in logs, unless the workspace overrides it', async () => {
    const files = {
      'main.tf':
        'resource "terraform_data" "a" {\n  provisioner "local-exec" { command = "env | sort | grep ^TF_TOKEN; tail -n 1 $SSL_CERT_FILE" }\n}',
    };
    const server = { address: 'https://one.example/', token: 'lkr.secret-of-the-run', ca: 'a CA' };
    const parts = { server, secrets: ['lkr.secret-of-the-run'] };
    const own = await planAndApply({ isolation, files, parts });
    expect(own.apply.log).toMatch(/TF_TOKEN_one_example=\*\*\*\n.*a CA$/m);
    const variables = [variable('TF_TOKEN_one_example', 'theirs', { category: 'env' })];
    const { apply } = await planAndApply({ isolation, files, parts, job: { variables } });
    expect(apply.log).toMatch(/TF_TOKEN_one_example=theirs$/m);
  });

  test('passes variables unchanged to the engine', async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an engine would take it for an expression
    const odd = 'a "b" \\ ${c} %{d} $${e}\n\tü\u0001\u2028 😀';
    const { apply } = await planAndApply({
      isolation,
      files: {
        'main.tf': `
variable "text" {}
variable "list" { type = list(string) }
variable "multi" {}
variable "TFC_RUN_ID" {}
resource "terraform_data" "a" {
  provisioner "local-exec" { command = "echo env=$GREETING" }
}
output "all" { value = { text = var.text, list = var.list, multi = var.multi, run = var.TFC_RUN_ID } }
`,
      },
      job: {
        variables: [
          variable('text', odd),
          variable('list', '["x",\n "y"] # a remark', { hcl: true }),
          variable('multi', '<<EOT\nlines\nEOT\n', { hcl: true }),
          variable('GREETING', 'hello', { category: 'env' }),
        ],
      },
    });
    const state = JSON.parse(lastState(apply).toString());
    expect(state.outputs.all.value).toEqual({ text: odd, list: ['x', 'y'], multi: 'lines\n', run: PLAN.runId });
    expect(apply.log).toContain('env=hello');
  });
});

describe.skipIf(!hasEngine)('a sensitive value (needs terraform)', () => {
  const secret = 'hünter"2\\ <&> end';
  const files = {
    'main.tf': `
variable "secret" {}
resource "terraform_data" "a" {
  input = var.secret
  provisioner "local-exec" {
    command = "printenv TOKEN; printenv TOKEN | base64; printf 'x:%s' $TOKEN | base64 -w0; echo; printenv KEY"
  }
}
output "json" { value = jsonencode({ inner = jsonencode({ s = var.secret }) }) }
output "url" { value = urlencode(var.secret) }
output "base64" { value = base64encode("user:\${var.secret}") }
`,
  };
  const variables = [
    variable('secret', secret, { sensitive: true }),
    variable('TOKEN', 'tok-3f9a8c7d6e', { category: 'env', sensitive: true }),
    variable('KEY', 'first line of it\nsecond line of it', { category: 'env', sensitive: true }),
  ];

  test.each(['plain', 'structured'] as const)('is in no log, %s', async (log) => {
    const { plan, apply } = await planAndApply({ files, job: { log, variables } });
    expect(apply.end, apply.log).toMatchObject({ exit: 0 });
    expect(apply.log).toContain('***');
    for (const text of [plan.log, apply.log]) {
      for (const form of [
        ...['nter', '2\\', '%22', 'u003c', 'tok-3f', 'line of it', '3f9a8c7d6e'],
        ...[Buffer.from('user:hünter"2').toString('base64').slice(8, 16)],
        ...[
          Buffer.from('tok-3f9a').toString('base64').slice(0, 8),
          Buffer.from('x:tok-3f9a').toString('base64').slice(4, 12),
        ],
      ]) {
        expect(text.replace(/[Ii]ntern|[Ee]nter/g, '')).not.toContain(form);
      }
    }
  });

  test('leaves structured lines JSON, even if it is one of their words; the log names variables that it may show', async () => {
    const words = ['null', 'info', 'true', 'planned_change', '1', 'terraform_data'];
    const everyday = words.map((word, n) => variable(`W${n}`, word, { category: 'env', sensitive: true }));
    const { plan, apply } = await planAndApply({
      files,
      job: { log: 'structured', variables: [...variables, ...everyday] },
    });
    expect(apply.end, apply.log).toMatchObject({ exit: 0 });
    for (const text of [plan.log, apply.log]) {
      const lines = text.split('\n').filter((line) => line.startsWith('{'));
      for (const line of lines) expect(() => JSON.parse(line), line).not.toThrow();
      expect(lines.length).toBeGreaterThan(2);
      expect(text).not.toContain('terraform_data');
      for (const n of [0, 1, 2, 3, 4]) expect(text).toContain(`Warning: this log may show the value of W${n}: `);
      expect(text).not.toContain('the value of W5');
    }
    expect(typesOf(plan.log)).toEqual(expect.arrayContaining(['version', 'planned_change', 'change_summary']));
  });

  test('is in no redacted plan', async () => {
    const sensitive = {
      'main.tf': files['main.tf'].replace('variable "secret" {', 'variable "secret" {\n  sensitive = true\n'),
    };
    const main = sensitive['main.tf'].replaceAll(/^output.*$/gm, '');
    const { redacted, planJson, end, log } = await executeTrial({ files: { 'main.tf': main }, job: { variables } });
    expect(end, log).toMatchObject({ exit: 0 });
    expect(planJson).toContain('nter');
    expect(redacted).not.toContain('nter');
    expect(JSON.parse(redacted ?? '').resource_changes[0].change.after.input).toMatch(/^\(sensitive/);
  });
});

describe.skipIf(!hasEngine)('a job that cannot run (needs terraform)', () => {
  test.each<[string, Trial, RegExp]>([
    [
      'a missing engine',
      { job: { engine: { kind: 'terraform', version: '0.0.1' } } },
      /^This agent does not have Terraform 0\.0\.1 \(searched on the PATH, which has .*Terraform [\d.]+\): install it on the PATH/,
    ],
    [
      'a missing working directory',
      { job: { workspace: { ...PLAN.workspace, workingDirectory: 'x' } } },
      /working directory "x" is not a folder/,
    ],
    [
      'a working directory outside the configuration',
      { job: { workspace: { ...PLAN.workspace, workingDirectory: '../..' } } },
      /working directory "..\/.." is outside the configuration/,
    ],
    ['a variable with no name', { job: { variables: [variable('a b', '')] } }, /"a b" is not a valid variable name/],
    [
      'an environment variable with a zero byte',
      { job: { variables: [variable('A', '\0', { category: 'env' })] } },
      /A contains a zero byte/,
    ],
  ])('%s', async (_, trial, reason) => {
    const { end, log } = await executeTrial({ files: { 'main.tf': '' }, ...trial });
    expect(end).toEqual({ kind: 'failed', reason: expect.stringMatching(reason) });
    expect(log.split('\n').slice(2)).toEqual([
      'Initializing plugins and modules...',
      expect.stringMatching(/^Error: /),
      '',
    ]);
  });

  test('an apply at another path than its plan', async () => {
    const files = { 'main.tf': 'resource "terraform_data" "a" {}' };
    const plan = await executeTrial({ files });
    const { end } = await executeTrial({
      files,
      folder: plan.folder,
      job: { phase: 'apply', runId: 'run-other' },
    });
    expect(end).toMatchObject({ kind: 'failed', reason: expect.stringContaining('need the same folder') });
  });
});

type Applied = Awaited<ReturnType<typeof executeTrial>>;

function lastState({ states, log }: Applied): Buffer {
  const last = states.at(-1);
  expect(last?.isLast, log).toBe(true);
  return last?.version.bytes ?? Buffer.alloc(0);
}

const outputOf = (applied: Applied): unknown => JSON.parse(lastState(applied).toString()).outputs.size.value;

const typesOf = (log: string): string[] =>
  log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line).type);
