import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Command } from '../../support/command.ts';
import { Installation } from '../../support/runner/installation.ts';
import { hasEngine } from '../../support/runner/run.ts';

const BIG = '9007199254740993';
const NEXT = '9007199254740995';
const LONG = '0.12345678901234567890123';

/** One number in a resource, an output and a sensitive output. */
const configuration = (id: string) => ({
  'main.tf': `
    resource "terraform_data" "a" { input = { id = ${id}, ratio = ${LONG} } }
    output "id" { value = ${id} }
    output "ratio" { value = ${LONG} }
    output "hidden" {
      value     = ${id}
      sensitive = true
    }
  `,
});

describe.skipIf(!hasEngine)('numbers that a double cannot hold (needs terraform)', { timeout: 120_000 }, () => {
  let installation: Installation;
  let workspace: string;
  beforeAll(async () => {
    installation = await Installation.start();
    installation.agent(['--token-file', installation.tokenFile]);
    workspace = await installation.workspace({ engine: 'terraform' });
  });
  afterAll(() => installation.stop());

  const text = async (path: string) => (await installation.user('GET', path)).text;
  const planOf = async (run: string): Promise<string> =>
    (await installation.runOf(run)).data.relationships.plan.data.id as string;

  test('appear in the plan, the outputs and the state comparison as the engine wrote them', async () => {
    const first = await installation.run(workspace, configuration(BIG));
    await installation.until(first, 'applied');
    for (const kind of ['json-output', 'json-output-redacted']) {
      const plan = await text(`/plans/${await planOf(first)}/${kind}`);
      expect(plan, kind).toContain(`"id":${BIG}`);
      expect(plan, kind).toContain(`"ratio":${LONG}`);
    }
    const outputs = await text(`/workspaces/${workspace}/current-state-version-outputs`);
    expect(outputs).toContain(`"value":${BIG},`);
    expect(outputs).toContain(`"value":${LONG},`);

    const second = await installation.run(workspace, configuration(NEXT));
    await installation.until(second, 'applied');
    const plan = await text(`/plans/${await planOf(second)}/json-output-redacted`);
    expect(plan).toContain(`"before":${BIG},"after":${NEXT}`);
    // A sensitive value is not shown; its change is.
    expect(plan).toContain('"before":0,"after":1');
    const { body } = await installation.user('GET', `/workspaces/${workspace}/current-state-version`);
    const { attributes } = (await installation.user('GET', `/state-versions/${body.data.id}/diff`)).body.data;
    expect(attributes.outputs.changed.map(({ name }: { name: string }) => name)).toEqual(['hidden', 'id']);
  });

  test('are printed by the command line as the server wrote them', async () => {
    const path = `workspaces/${workspace}/current-state-version-outputs`;
    const printed = async (format: string) => {
      const server = ['--address', installation.address, '--ca-cert', installation.caFile];
      const command = new Command(['api', 'GET', path, ...server, '--format', format], {
        LOCKKEEPER_TOKEN: installation.userToken,
      });
      const { code, stdout, stderr } = await command.ended();
      expect(code, stderr).toBe(0);
      return stdout;
    };
    expect(await printed('json')).toContain(`"value": ${NEXT},`);
    expect(await printed('yaml')).toMatch(new RegExp(`value: ${LONG}\\n`));
  });
});
