import type { CheckOutcome, Findings } from '../ports.ts';
import type { CheckJson, ModuleJson, PlanJson, ResourceChange } from './plan-json.ts';

const OUTCOMES: readonly CheckOutcome[] = ['pass', 'fail', 'error', 'unknown'];

/**
 * Of a plan that only refreshes. What was merely moved, what is read, and outputs are no drift: nothing was changed that is
 * managed.
 */
export function findingsOf({ resource_drift: drift = [], prior_state: prior, checks = [] }: PlanJson): Findings {
  const drifted = drift.filter(isReal);
  const gone = drifted.filter(({ change }) => change.actions.includes('delete')).length;
  const there = managedIn(prior?.values?.root_module);
  const outcomes = checks.flatMap(outcomesOf);
  const count = (wanted: CheckOutcome): number => outcomes.filter((outcome) => outcome === wanted).length;
  return {
    drifted: drifted.length,
    // What is gone is not among those that are there.
    undrifted: Math.max(0, there - (drifted.length - gone)),
    checks: { pass: count('pass'), fail: count('fail'), error: count('error'), unknown: count('unknown') },
  };
}

function isReal({ mode, change }: ResourceChange): boolean {
  return mode === 'managed' && change.actions.some((action) => action !== 'no-op' && action !== 'read');
}

function managedIn(root: ModuleJson | undefined): number {
  const modules = root === undefined ? [] : [root];
  let count = 0;
  for (const { resources = [], child_modules: children = [] } of modules) {
    count += resources.filter(({ mode }) => mode === 'managed').length;
    modules.push(...children);
  }
  return count;
}

/** Of each instance; of the whole where there is none. */
function outcomesOf({ status, instances = [] }: CheckJson): CheckOutcome[] {
  const told = instances.length === 0 ? [status] : instances.map((instance) => instance.status);
  return told.map((word) => OUTCOMES.find((outcome) => outcome === word) ?? 'unknown');
}
