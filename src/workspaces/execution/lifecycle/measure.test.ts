import { expect, test } from 'vitest';
import { performanceOf } from './measure.ts';

function phase(status: string, kind: string, started?: number, finished?: number) {
  const timestamps = { ...(started !== undefined && { started }), ...(finished !== undefined && { finished }) };
  return { status, kind, timestamps: JSON.stringify(timestamps) };
}

test('runs are counted, and the durations of completed phases are averaged', () => {
  const phases = [
    phase('applied', 'plan', 1000, 3000),
    phase('applied', 'apply', 5000, 6000),
    phase('errored', 'plan', 1000, 2001),
    phase('errored', 'apply'),
    phase('errored', 'plan', 1000),
    phase('errored', 'apply'),
  ];
  expect(performanceOf(phases)).toEqual({
    'plan-duration-average': 1501,
    'apply-duration-average': 1000,
    'policy-check-failures': 0,
    'run-failures': 2,
    'workspace-kpis-runs-count': 3,
  });
});

test('without a completed phase there is no duration', () => {
  expect(performanceOf([phase('errored', 'plan'), phase('errored', 'apply')])).toEqual({
    'policy-check-failures': 0,
    'run-failures': 1,
    'workspace-kpis-runs-count': 1,
  });
});
