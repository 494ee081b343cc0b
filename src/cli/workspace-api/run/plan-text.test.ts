import { expect, test } from 'vitest';
import { readPlan } from '../../../lib/plan/plan.ts';
import { planText } from './plan-text.ts';

const plan = readPlan({
  resource_changes: [
    {
      address: 'a.new',
      change: { actions: ['create'], before: null, after: { name: 'one' }, after_unknown: { id: true } },
    },
    {
      address: 'a.old',
      change: {
        actions: ['update'],
        before: { name: 'one', password: 'secret', size: 1 },
        after: { name: 'two', password: 'other', size: 1 },
        before_sensitive: { password: true },
        after_sensitive: { password: true },
      },
    },
    { address: 'a.gone', change: { actions: ['delete'], before: { text: 'x\ny' }, after: null } },
    { address: 'a.same', change: { actions: ['no-op'], before: {}, after: {} } },
  ],
  output_changes: { url: { actions: ['create'], before: null, after: '\u001b[2J' } },
});

test('a plan shows each attribute with its old and new value, and hides sensitive ones', () => {
  expect(planText(plan, false)).toBe(`+ a.new
      name  "one"
      id    known after apply
~ a.old
      name      "one" -> "two"
      password  (sensitive) -> (sensitive)
      1 unchanged attribute
- a.gone
      text  x
            y -> null
Outputs:
+ url
        "\\u001b[2J"
Plan: 1 to add, 1 to change, 1 to destroy, 1 unchanged
`);
});

test('a plan has colours only on request, and none of the plan itself', () => {
  expect(planText(plan, true)).toContain('\u001b[32m+\u001b[39m a.new');
  expect(planText(plan, true)).not.toContain('\u001b[2J');
});

test('a plan without changes says so', () => {
  expect(planText(readPlan({ resource_changes: [] }), false)).toBe('No changes to resources\n');
});
