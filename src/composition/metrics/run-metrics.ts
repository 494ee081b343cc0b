import { counter, gauge, histogram, type Metrics } from '../../server/index.ts';
import { LOSSES, RUN_OUTCOMES, type Workspaces } from '../../workspaces/index.ts';
import { cachedRead } from './cached-read.ts';

const POOL = ['organization', 'pool'];
/** Buckets in seconds: plans take seconds, applies may take hours. */
const PHASE_BUCKETS = [1, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600];
const WAIT_BUCKETS = [1, 5, 15, 30, 60, 120, 300, 600, 1_800, 3_600];

/** Metrics of runs, agents, notifications and run tasks. */
export const RUN_METRICS = {
  runs: gauge('lockkeeper_runs', 'Unfinished runs, by status; counts stop at 10,000.', ['status']),
  ended: counter('lockkeeper_runs_ended_total', 'Finished runs, by outcome.', ['outcome']),
  phases: histogram('lockkeeper_phase_duration_seconds', 'Duration of plans and applies, by outcome.', [
    'phase',
    'outcome',
  ]),
  waits: histogram('lockkeeper_phase_wait_seconds', 'Time that plans and applies waited in the queue.', ['phase']),
  waiting: gauge('lockkeeper_jobs_waiting', 'Jobs that no agent has taken; at most 100 pools.', POOL),
  oldest: gauge('lockkeeper_job_oldest_wait_seconds', 'Waiting time of the oldest such job; at most 100 pools.', POOL),
  lost: counter(
    'lockkeeper_jobs_lost_total',
    'Jobs whose agent was lost: requeued for another agent, or ended with the run.',
    ['outcome'],
  ),
  agents: gauge('lockkeeper_agents', 'Agents, by status; the most recently seen, in at most 100 pools.', [
    ...POOL,
    'status',
  ]),
  deliveries: counter('notification_deliveries_total', 'Notifications since the start, by outcome.', [
    'destination',
    'outcome',
  ]),
  requests: counter('run_task_requests_total', 'Run task requests since the start, by outcome.', ['outcome']),
  pending: gauge(
    'lockkeeper_outbox_pending',
    'Pending deliveries: notification configurations with unsent messages, and run task results.',
    ['queue'],
  ),
  outboxAge: gauge(
    'lockkeeper_outbox_oldest_seconds',
    'Time since the oldest pending delivery was due; 0 if nothing is due.',
    ['queue'],
  ),
} as const;

export function registerRuns(metrics: Metrics, { delivery, execution }: Workspaces): void {
  countRuns(metrics, execution);
  const { runs, waiting, oldest, agents, pending, outboxAge, deliveries, requests } = RUN_METRICS;
  const { gauges, notificationMetrics, taskRequestMetrics } = execution;
  metrics.shared(
    runs,
    cachedRead(async () => (await gauges.runs()).map(({ status, count }) => ({ labels: { status }, value: count }))),
  );
  const queues = cachedRead(() => gauges.waiting());
  const ofPool = ({ organization, pool }: { organization: string; pool: string }) => ({ organization, pool });
  metrics.shared(waiting, async () => (await queues()).map((one) => ({ labels: ofPool(one), value: one.jobs })));
  metrics.shared(oldest, async () => (await queues()).map((one) => ({ labels: ofPool(one), value: one.oldest })));
  metrics.shared(
    agents,
    cachedRead(async () =>
      (await gauges.agents()).map((one) => ({ labels: { ...ofPool(one), status: one.status }, value: one.agents })),
    ),
  );
  const outboxes = cachedRead(() => delivery.pending());
  metrics.shared(pending, async () =>
    (await outboxes()).map((one) => ({ labels: { queue: one.queue }, value: one.pending })),
  );
  metrics.shared(outboxAge, async () =>
    (await outboxes()).map((one) => ({ labels: { queue: one.queue }, value: one.oldest })),
  );
  metrics.total(deliveries, async () => notificationMetrics.all());
  metrics.total(requests, async () => taskRequestMetrics.all());
}

/** Counts events of this node. */
function countRuns(metrics: Metrics, { runObservers }: Workspaces['execution']): void {
  const ended = metrics.counter(RUN_METRICS.ended, RUN_OUTCOMES.map(outcomeLabel));
  const lost = metrics.counter(RUN_METRICS.lost, LOSSES.map(outcomeLabel));
  const phases = metrics.histogram(RUN_METRICS.phases, PHASE_BUCKETS);
  const waits = metrics.histogram(RUN_METRICS.waits, WAIT_BUCKETS);
  runObservers.add({
    runEnded: (outcome) => ended.inc({ outcome }),
    phaseBegan: (phase, waited) => waits.observe({ phase }, waited),
    phaseEnded: (phase, outcome, took) => phases.observe({ phase, outcome }, took),
    jobLost: (outcome) => lost.inc({ outcome }),
  });
}

const outcomeLabel = (outcome: string) => ({ outcome });
