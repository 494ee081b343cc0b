import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProviderCache } from '../../../src/runner/index.ts';
import { isolations, PLAN, planAndApply, type Trial } from '../../support/runner/run.ts';
import { zipOf } from '../../support/runner/zip.ts';
import { installed } from '../support/installation.ts';
import module from '../tofu/module.json' with { type: 'json' };

const VERSION = module.version.slice(1);
const PLATFORM = `linux_${process.arch === 'x64' ? 'amd64' : process.arch}`;
const MAIN = `
terraform {
  required_providers {
    null = { source = "registry.invalid/hashicorp/null" }
  }
}
resource "null_resource" "a" {
  provisioner "local-exec" {
    command = "for one in .terraform/providers/*/*/*/*/*/*; do echo changed >$one; done; true"
  }
}
`;
/** The engine unpacks this package as it does with packages of a registry. */
const FILES = {
  'main.tf': MAIN,
  'engine.tfrc': 'provider_installation {\n  filesystem_mirror {\n    path = "mirror"\n  }\n}\n',
};

describe.each(isolations)('the provider cache of an agent, with tofu, isolation $name', (isolation) => {
  // A sandbox has its own /tmp.
  const folder = mkdtempSync('/var/tmp/provider-cache-');
  const engines = join(folder, 'engines');
  beforeAll(() => {
    mkdirSync(join(engines, 'opentofu', VERSION), { recursive: true });
    symlinkSync(join(installed.tofu, 'tofu'), join(engines, 'opentofu', VERSION, 'tofu'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('gives providers that the plan has fetched to the apply and to other runs', async () => {
    const program = readFileSync(join(installed.nullProvider, 'terraform-provider-null'));
    const zip = zipOf([{ name: 'terraform-provider-null_v3.2.4', content: program }]);
    const cache = new ProviderCache({ folder: join(folder, 'cache'), size: 1_073_741_824 });
    const settings = { key: 'TF_CLI_CONFIG_FILE', value: 'engine.tfrc', category: 'env' as const };
    const trial: Trial = {
      isolation,
      files: {
        ...FILES,
        [`mirror/registry.invalid/hashicorp/null/terraform-provider-null_3.2.4_${PLATFORM}.zip`]: zip,
      },
      parts: { cache, engines: { folder: engines, path: '' } },
      job: {
        engine: { kind: 'opentofu', version: VERSION },
        variables: [...PLAN.variables, { ...settings, hcl: false, sensitive: false }],
      },
    };
    for (const _ of ['first', 'second']) {
      const { plan, apply } = await planAndApply(trial);
      expect(plan.end, plan.log).toMatchObject({ exit: 0, counts: { additions: 1 } });
      expect(plan.log).toContain('Installed registry.invalid/hashicorp/null v3.2.4');
      expect(apply.end, apply.log).toMatchObject({ exit: 0, counts: { additions: 1 } });
      expect(apply.log).toContain('Using registry.invalid/hashicorp/null v3.2.4 from the shared cache directory');
      if (isolation.name === 'bubblewrap') expect(apply.log).toContain('Read-only file system');
    }
    const [kept] = globSync('cache/packages/*/terraform-provider-null_v3.2.4', { cwd: folder });
    expect(readFileSync(join(folder, kept ?? '')).equals(program)).toBe(true);
  });
});
