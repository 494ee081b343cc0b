import { counter, gauge, type Metrics } from '../../server/index.ts';
import type { ClusterTask } from '../background/cluster-tasks.ts';
import type { Background } from '../background/compose-background.ts';
import { cachedRead } from './cached-read.ts';

/** One read serves all metrics of a page. */
const HOLD_MS = 0;

/** Metrics of background tasks. The names of tasks are constants of the program. */
export const BACKGROUND_METRICS = {
  ok: gauge('lockkeeper_background_task_ok', '0 if the task has failed or been overdue for a long time, 1 otherwise.', [
    'task',
  ]),
  lastRun: gauge(
    'lockkeeper_background_task_last_run_timestamp_seconds',
    'Start of the last run; absent before the first one.',
    ['task'],
  ),
  duration: gauge('lockkeeper_background_task_last_duration_seconds', 'Duration of the last run that ended.', ['task']),
  failures: counter('lockkeeper_background_task_failures_total', 'Failed runs on the scraped node.', ['task']),
  leader: gauge('lockkeeper_background_leader', '1 if the scraped node runs the tasks of the leader, 0 otherwise.'),
} as const;

export function registerBackground(metrics: Metrics, { tasks, isLeader }: Background): void {
  const { ok, lastRun, duration, failures, leader } = BACKGROUND_METRICS;
  const read = cachedRead(() => tasks.list(), HOLD_MS);
  const figure = (of: typeof ok, value: (task: ClusterTask) => number | undefined) =>
    metrics.shared(of, async () =>
      (await read()).flatMap((task) => {
        const found = value(task);
        return found === undefined ? [] : [{ labels: { task: task.definition.name }, value: found }];
      }),
    );
  figure(ok, ({ problem }) => (problem === undefined ? 1 : 0));
  figure(lastRun, ({ status: { startedAt } }) => startedAt && startedAt / 1000);
  figure(duration, ({ status: one }) => one.duration && one.duration / 1000);
  metrics.total(failures, async () =>
    tasks.ownList().map(({ definition, status }) => ({
      labels: { task: definition.name },
      value: status.failuresInTotal,
    })),
  );
  metrics.gauge(leader, async () => [{ labels: {}, value: isLeader() ? 1 : 0 }]);
}
