import { describe, expect, test } from 'vitest';
import { carryOut, hasEngine, isolations, planAndApply } from '../../test/support/runner/run.ts';

const MAIN = `
variable "size" { default = "small" }
resource "terraform_data" "a" { input = var.size }
output "size" { value = terraform_data.a.output }
`;

describe.skipIf(!hasEngine).each(isolations.map((isolation) => ({ name: isolation.name, isolation })))(
  'a run, isolation $name (needs terraform)',
  ({ isolation }) => {
    test('is planned and applied, changed and destroyed', async () => {
      const { plan, apply } = await planAndApply({ isolation, files: { 'main.tf': MAIN } });
      expect(plan.end, plan.log).toEqual({
        kind: 'finished',
        step: 'plan',
        exit: 0,
        hasChanges: true,
        counts: { add: 1, change: 0, remove: 0, import: 0 },
      });
      expect(plan.log.split('\n').slice(0, 3)).toEqual([
        expect.stringMatching(/^Terraform v\d+\.\d+\.\d+/),
        expect.stringMatching(/^on linux_/),
        'Initializing plugins and modules...',
      ]);
      expect(plan.log).toContain('1 to add, 0 to change, 0 to destroy');
      expect(JSON.parse(plan.planJson ?? '')).toHaveProperty('planned_values');
      expect(apply.end, apply.log).toMatchObject({ step: 'apply', exit: 0, counts: { add: 1 } });
      expect(apply.log).toContain('1 added, 0 changed, 0 destroyed');
      const last = apply.states.at(-1);
      expect(last?.isLast).toBe(true);
      expect(JSON.parse(last?.version.bytes.toString() ?? '').outputs.size.value).toBe('small');
    });
  },
);
