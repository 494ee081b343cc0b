/** All metrics by subject, for the reference page and for checks of panels and alerts. */
import {
  BACKGROUND_METRICS,
  BACKUP_METRICS,
  CERTIFICATE_METRICS,
  KEYRING_METRICS,
  NODE_METRICS,
  REPLICATION_METRICS,
  REVOCATION_METRICS,
  RUN_METRICS,
  SIGN_IN_METRICS,
  VCS_METRICS,
  WORKSPACE_METRICS,
} from '../../src/composition/metrics/index.ts';
import { TRACE_METRICS } from '../../src/composition/tracing.ts';
import {
  AUDIT_METRICS,
  type MetricDefinition,
  processDefinitions,
  RATE_LIMIT_METRICS,
  SERVER_METRICS,
} from '../../src/server/index.ts';

/** One section of the reference. */
interface Subject {
  readonly title: string;
  readonly about: string;
  readonly metrics: readonly MetricDefinition[];
}

export const SUBJECTS: readonly Subject[] = [
  {
    title: 'Nodes',
    about:
      'Values of the scraped node. Database metrics exist on PostgreSQL only. Disk metrics cover local disks, not buckets or remote databases.',
    metrics: Object.values(NODE_METRICS),
  },
  {
    title: 'Keyring',
    about: 'Values of the scraped node. If the newest keys of two nodes differ, their keyring files differ.',
    metrics: Object.values(KEYRING_METRICS),
  },
  {
    title: 'Replication',
    about:
      'PostgreSQL replication; every node exports the same values. `standby` is the `application_name`; at most the 50 standbys that are ' +
      'furthest behind. The lag metrics need `GRANT pg_monitor` for the database user.',
    metrics: Object.values(REPLICATION_METRICS),
  },
  {
    title: 'Requests and connections',
    about: '`route` is the matched route pattern, or `other`. Clients cannot create label values.',
    metrics: Object.values(SERVER_METRICS),
  },
  {
    title: 'Rate limits',
    about: 'Present if `rate_limits` is set. `limit` is the name of the setting.',
    metrics: Object.values(RATE_LIMIT_METRICS),
  },
  {
    title: 'Audit log',
    about:
      '`sink` is the type of the sink, with a number if there are several. Buffer metrics exist for sinks with a buffer.',
    metrics: Object.values(AUDIT_METRICS),
  },
  {
    title: 'Traces',
    about: 'Present if `tracing` is set.',
    metrics: Object.values(TRACE_METRICS),
  },
  {
    title: 'Sign-in',
    about: '`outcome` is `accepted` or `refused`. Server errors and aborted sign-ins are not counted.',
    metrics: Object.values(SIGN_IN_METRICS),
  },
  {
    title: 'Certificates',
    about:
      'Expiry of listener certificates and of the CA certificates of roles. To see which CA certificates expire, read the role.',
    metrics: Object.values(CERTIFICATE_METRICS),
  },
  {
    title: 'Revocation and issuer keys',
    about: '`mount` is the path of the auth method.',
    metrics: Object.values(REVOCATION_METRICS),
  },
  {
    title: 'Runs and agents',
    about:
      '`pool` is the name of an agent pool, with its `organization`. It is `installation` for agents of the server itself, and `none` for ' +
      'jobs of workspaces without a pool. Gauges cover all nodes: every node exports the same values, so do not sum them.',
    metrics: Object.values(RUN_METRICS),
  },
  {
    title: 'Version control',
    about: 'Every node exports the same values, so do not sum them.',
    metrics: Object.values(VCS_METRICS),
  },
  {
    title: 'States and locks',
    about: 'Requests to the scraped node.',
    metrics: Object.values(WORKSPACE_METRICS),
  },
  {
    title: 'Background tasks',
    about:
      '`task` is the name of a [background task](../operations/background-tasks.md). For tasks of the leader every node exports the same ' +
      'values, and each node counts only the failures of its own runs.',
    metrics: Object.values(BACKGROUND_METRICS),
  },
  {
    title: 'Backup',
    about:
      'Scheduled and manual backups. Values come from the database, so every node exports the same; the interval comes from the configuration.',
    metrics: Object.values(BACKUP_METRICS),
  },
  {
    title: 'Process',
    about: 'Standard metrics of the client library; with workers, their sum.',
    metrics: processDefinitions(),
  },
];

/** Suffixes of the series of each type, such as `http_request_duration_seconds_bucket`. */
const SERIES = { counter: [''], gauge: [''], histogram: ['_bucket', '_count', '_sum'] };

/** Series that expressions may use, with their labels. Prometheus itself adds `up`. */
export const SERIES_LABELS: ReadonlyMap<string, readonly string[]> = new Map([
  ['up', []],
  ...SUBJECTS.flatMap(({ metrics }) =>
    metrics.flatMap(({ name, type, labels }) =>
      (SERIES[type] ?? ['']).map(
        (end) => [name + end, end === '_bucket' ? [...labels, 'le'] : labels] as [string, readonly string[]],
      ),
    ),
  ),
]);
