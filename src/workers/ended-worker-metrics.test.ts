import { expect, test } from 'vitest';
import { EndedWorkerMetrics } from './ended-worker-metrics.ts';

const counter = (values: readonly (readonly [string, number])[]) => ({
  ...{ name: 'requests', help: 'h', type: 'counter', aggregator: 'sum' },
  values: values.map(([route, value]) => ({ labels: { route, status: 200 }, value })),
});
const histogram = (count: number) => ({
  ...{ name: 'durations', help: 'h', type: 'histogram', aggregator: 'sum' },
  values: [
    { metricName: 'durations_bucket', labels: { le: 1 }, value: count },
    { metricName: 'durations_count', labels: {}, value: count },
  ],
});
const gauge = { name: 'connections', help: 'h', type: 'gauge', aggregator: 'sum', values: [{ labels: {}, value: 7 }] };

test('what processes have counted stays when they end, added up; levels go with them', () => {
  const ended = new EndedWorkerMetrics();
  expect(ended.all()).toEqual([]);
  ended.add([counter([['a', 1]]), histogram(2), gauge]);
  // A worker that has exited before it reported metrics.
  ended.add(undefined);
  ended.add([
    counter([
      ['a', 3],
      ['b', 5],
    ]),
    histogram(4),
    gauge,
  ]);
  expect(ended.all()).toEqual([
    counter([
      ['a', 4],
      ['b', 5],
    ]),
    histogram(6),
  ]);
});
