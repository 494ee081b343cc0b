import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { scripted } from '../../test/support/runner/engine.ts';
import { executeTrial, PLAN, planAndApply, type Trial } from '../../test/support/runner/run.ts';

const PLANNED = { resource_changes: [{ mode: 'managed', change: { actions: ['create'], before: null, after: {} } }] };
const STATE = JSON.stringify({ version: 4, serial: 1, lineage: 'of-the-test', resources: [] });

/** An engine that can plan and also runs a script in each step; `$STATE` is the path of the state in its backend. */
function engine({ init = '', plan = PLANNED as object, apply = '' }): Trial {
  const script = `
STATE=$(sed -n 's/.*"workspace_dir":"\\([^"]*\\)".*/\\1/p' .terraform/terraform.tfstate)/$(cat .terraform/environment)/terraform.tfstate
case $1 in
  init) ${init || ':'};;
  plan)
    for option; do case $option in -out=*) echo > "\${option#-out=}";; esac; done
    exit 2;;
  show) echo '${JSON.stringify(plan)}';;
  providers) echo '{}';;
  apply) ${apply || ':'};;
esac`;
  const { engines, engine } = scripted(script);
  return { files: { 'main.tf': '' }, parts: { engines }, job: { engine } };
}

describe('an apply', () => {
  it('uploads the state that the engine leaves at the path of its workspace', async () => {
    const { plan, apply } = await planAndApply(engine({ apply: `echo '${STATE}' > $STATE` }));
    expect(plan.end, plan.log).toMatchObject({ kind: 'finished', exit: 0 });
    expect(apply.end, apply.log).toMatchObject({ kind: 'finished', step: 'apply', exit: 0 });
    expect(apply.states.map(({ version }) => version.lineage)).toEqual(['of-the-test']);
  });

  it('without a new state is an error, if the plan changes something', async () => {
    const { apply } = await planAndApply(engine({ apply: 'echo "Apply complete!"' }));
    expect(apply.end).toEqual({ kind: 'failed', reason: expect.stringContaining('without a new state') });
    expect(apply.log).toContain('Error: The apply ended without a new state');
    const outputs = { output_changes: { size: { actions: ['update'], before: 1, after: 2 } } };
    const second = await planAndApply(engine({ plan: outputs, apply: `rm -f $STATE` }));
    expect(second.apply.end).toEqual({ kind: 'failed', reason: expect.stringContaining('without a new state') });
  });

  it.each([
    ['nothing', {}],
    ['data that it reads', { resource_changes: [{ mode: 'data', change: { actions: ['read'] } }] }],
    ['an output without a value', { output_changes: { none: { actions: ['create'], before: null, after: null } } }],
  ])('needs no new state if its plan changes only %s', async (_what, plan) => {
    const { apply } = await planAndApply(engine({ plan }));
    expect(apply.end, apply.log).toMatchObject({ kind: 'finished', step: 'apply', exit: 0 });
  });
});

describe('a run whose state would be stored elsewhere', () => {
  it('ends before the plan', async () => {
    const init = 'echo \'{"version":3,"backend":{"type":"s3","config":{}}}\' > .terraform/terraform.tfstate';
    const { end, log } = await executeTrial(engine({ init }));
    expect(end, log).toEqual({ kind: 'failed', reason: expect.stringContaining('elsewhere (backend "s3")') });
    for (const hidden of [
      'rm -rf .terraform',
      'ln -sf /etc/passwd .terraform/terraform.tfstate',
      'head -c 1000000 /dev/zero > .terraform/terraform.tfstate',
    ]) {
      const { end } = await executeTrial(engine({ init: hidden }));
      expect(end).toEqual({ kind: 'failed', reason: expect.stringContaining('stores its state elsewhere') });
    }
  });

  it.each(['TF_CLI_ARGS', 'TF_CLI_ARGS_plan', 'TF_CLI_ARGS_init'])('is refused for options in %s', async (key) => {
    const variable = { key, category: 'env' as const, hcl: false, sensitive: false };
    const { job = {}, ...trial } = engine({});
    const of = (value: string) => executeTrial({ ...trial, job: { ...job, variables: [{ ...variable, value }] } });
    expect((await of('-no-color "-state=/tmp/x"')).end).toEqual({
      kind: 'failed',
      reason: expect.stringContaining('-state,'),
    });
    for (const hidden of ['-s"tate"=/tmp/x', "'-state=/tmp/x'", '-st\\ate-out=x', '-"backend"-config=x']) {
      expect((await of(hidden)).end, hidden).toEqual({
        kind: 'failed',
        reason: expect.stringMatching(/has the option -(state|backend)/),
      });
    }
    expect((await of('-parallelism=3 -statement')).end).toMatchObject({ kind: 'finished', step: 'plan' });
  });
});

describe('a configuration', () => {
  it('a missing configuration is refused, with a list of the files', async () => {
    const { job = {}, ...trial } = engine({});
    const many = Object.fromEntries(Array.from({ length: 14 }, (_, n) => [`file-${n}.txt`, '']));
    const files = { ...many, 'repo-main/main.tf': '', '.hidden.tf': '' };
    const { end } = await executeTrial({ ...trial, files, job });
    expect(end).toEqual({
      kind: 'failed',
      reason: expect.stringMatching(
        /^The working directory "\/" of the archive has no .+ \(found: ".hidden.tf", "file-0.txt".+ and 6 more\)/,
      ),
    });
    const parameters = { ...PLAN.parameters, destroy: true };
    expect((await executeTrial({ ...trial, files, job: { ...job, parameters } })).end).toMatchObject({ exit: 0 });
    expect((await executeTrial({ ...trial, files: { 'a.tf.json': '{}' }, job })).end).toMatchObject({ exit: 0 });
    expect((await executeTrial({ ...trial, files: { 'a.tofu': '' }, job })).end).toMatchObject({ kind: 'failed' });
  });

  it.each([
    ['OpenTofu v1.7.10', 'failed'],
    ['Terraform v1.11.4', 'failed'],
    ['OpenTofu v1.8.0', 'finished'],
  ])('a configuration of .tofu files is ignored by %s, whatever the job asked for', async (answer, kind) => {
    const { job = {}, parts } = engine({});
    const { folder } = parts?.engines ?? {};
    const program = `${folder}/terraform/99.0.0/terraform`;
    const always = `${folder}/always`;
    writeFileSync(always, `#!/bin/sh\n[ $1 = version ] && { echo '${answer}'; exit; }\n. ${program}\n`, {
      mode: 0o755,
    });
    const asked = { kind: 'opentofu' as const, version: null };
    const engines = { folder: null, path: '', always };
    const { end, log } = await executeTrial({
      files: { 'a.tofu': '' },
      parts: { engines },
      job: { ...job, engine: asked },
    });
    expect(end, log).toMatchObject({ kind });
  });
});
