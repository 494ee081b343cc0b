import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { executeTrial, PLAN } from '../../../test/support/runner/run.ts';

/** Plans with an engine that prints the arguments of its plan. */
function plannedWith(kind: 'terraform' | 'opentofu', version: string, invokes: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'actions-'));
  const [program, name] = kind === 'terraform' ? ['terraform', 'Terraform'] : ['tofu', 'OpenTofu'];
  const script = `#!/bin/sh\ncase $1 in version) echo '${name} v${version}';; plan) echo "planned with: $*"; exit 1;; esac\n`;
  writeFileSync(join(folder, program), script, { mode: 0o755 });
  return executeTrial({
    files: { 'main.tf': '' },
    job: { engine: { kind, version: null }, parameters: { ...PLAN.parameters, invokes } },
    parts: { engines: { folder: null, path: `${folder}:/usr/bin:/bin` } },
  });
}

describe('a plan that invokes actions', () => {
  test.each(['1.14.0-beta2', '1.14.0', '2.0.1'])('passes them to Terraform %s', async (version) => {
    const { log } = await plannedWith('terraform', version, ['action.a.b', 'action.a.c["x y"]']);
    expect(log).toMatch(/^planned with: .* -invoke=action\.a\.b -invoke=action\.a\.c\["x y"\]$/m);
  });

  test.each([
    ['terraform', '1.13.5', 'Terraform 1.13.5'],
    ['opentofu', '1.14.0', 'OpenTofu 1.14.0'],
  ] as const)('never starts with %s %s', async (kind, version, name) => {
    const { end, log } = await plannedWith(kind, version, ['action.a.b']);
    expect(end).toMatchObject({ kind: 'failed', reason: expect.stringContaining(`${name} cannot invoke actions`) });
    expect(log).toContain(`Error: ${name} cannot invoke actions, and this run invokes action.a.b. Set the engine`);
    expect(log).not.toContain('planned with');
  });

  test('plans with every engine if there are no actions', async () => {
    expect((await plannedWith('opentofu', '1.10.7', [])).log).toMatch(/^planned with: plan (?!.*-invoke)/m);
  });
});
