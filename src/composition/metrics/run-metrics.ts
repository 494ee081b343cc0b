import { counter, gauge, histogram, type Metrics } from '../../server/index.ts';
import { LOSSES, RUN_OUTCOMES, type Workspaces } from '../../workspaces/index.ts';
import { cachedRead } from './cached-read.ts';

const POOL = ['organization', 'pool'];
/** Seconds: a plan takes some, an apply may take hours. */
const PHASE_BUCKETS = [1, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600];
const WAIT_BUCKETS = [1, 5, 15, 30, 60, 120, 300, 600, 1_800, 3_600];

/** Runs, who carries them out, and what is sent because of them. */
export const RUN_METRICS = {
  runs: gauge('lockkeeper_runs', 'Runs that are not over, by status; at most 10,000 of each are counted.', ['status']),
  ended: counter('lockkeeper_runs_ended_total', 'Runs that came to their end, by what became of them.', ['outcome']),
  phases: histogram(
    'lockkeeper_phase_duration_seconds',
    'How long plans and applies were carried out, by what became of them.',
    ['phase', 'outcome'],
  ),
  waits: histogram(
    'lockkeeper_phase_wait_seconds',
    'How long plans and applies waited in the queue before they were begun.',
    ['phase'],
  ),
  waiting: gauge('lockkeeper_jobs_waiting', 'Jobs that no agent has taken yet; of at most 100 pools.', POOL),
  oldest: gauge(
    'lockkeeper_job_oldest_wait_seconds',
    'How long the first of them has waited; of at most 100 pools.',
    POOL,
  ),
  lost: counter(
    'lockkeeper_jobs_lost_total',
    'Jobs whose agent was gone before their end: given to another (requeued), or ended with the run.',
    ['outcome'],
  ),
  agents: gauge('lockkeeper_agents', 'Agents, by what they do; of those heard of last, in at most 100 pools.', [
    ...POOL,
    'status',
  ]),
  deliveries: counter('notification_deliveries_total', 'Notifications by what became of them, since the start.', [
    'destination',
    'outcome',
  ]),
  requests: counter('run_task_requests_total', 'Requests of run tasks by what became of them, since the start.', [
    'outcome',
  ]),
  pending: gauge(
    'lockkeeper_outbox_pending',
    'What waits to be sent, or for an answer: configurations of notifications that have something to tell, results of run tasks.',
    ['queue'],
  ),
  outboxAge: gauge(
    'lockkeeper_outbox_oldest_seconds',
    'Since when the first of it is due and was not taken up; 0 where nothing is due.',
    ['queue'],
  ),
} as const;

export function registerRuns(metrics: Metrics, { execution }: Workspaces): void {
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
  const outboxes = cachedRead(() => gauges.outboxes());
  metrics.shared(pending, async () =>
    (await outboxes()).map((one) => ({ labels: { queue: one.queue }, value: one.pending })),
  );
  metrics.shared(outboxAge, async () =>
    (await outboxes()).map((one) => ({ labels: { queue: one.queue }, value: one.oldest })),
  );
  metrics.total(deliveries, async () => notificationMetrics.all().map(({ value, ...labels }) => ({ labels, value })));
  metrics.total(requests, async () =>
    taskRequestMetrics.all().map(({ outcome, value }) => ({ labels: { outcome }, value })),
  );
}

/** What happens on this node, as it happens. */
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
