/** Every metric there is, by what it is about: the reference, and what panels and alerts may name. */
import {
  BACKUP_METRICS,
  CERTIFICATE_METRICS,
  KEYRING_METRICS,
  NODE_METRICS,
  REPLICATION_METRICS,
  REVOCATION_METRICS,
  RUN_METRICS,
  SIGN_IN_METRICS,
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

/** One heading of the reference. */
interface Subject {
  readonly title: string;
  readonly about: string;
  readonly metrics: readonly MetricDefinition[];
}

export const SUBJECTS: readonly Subject[] = [
  {
    title: 'Nodes',
    about:
      'Of the node that is scraped. Those of the database are there on PostgreSQL alone; disks are those of this machine, so a bucket or a ' +
      'database elsewhere has none.',
    metrics: Object.values(NODE_METRICS),
  },
  {
    title: 'Keyring',
    about: 'Of the node that is scraped. Nodes whose newest keys differ have different files.',
    metrics: Object.values(KEYRING_METRICS),
  },
  {
    title: 'Replication',
    about:
      'Of PostgreSQL, alike on every node. `standby` is its `application_name`; of at most 50, those that are furthest behind. How far they are ' +
      'behind is there where our user may see it (`GRANT pg_monitor`).',
    metrics: Object.values(REPLICATION_METRICS),
  },
  {
    title: 'Requests and connections',
    about: '`route` is the pattern that was found, `other` for anything else: what a client makes up is no label.',
    metrics: Object.values(SERVER_METRICS),
  },
  {
    title: 'Rate limits',
    about: 'Where something is limited (`rate_limits`). `limit` is the name of the setting.',
    metrics: Object.values(RATE_LIMIT_METRICS),
  },
  {
    title: 'Audit record',
    about:
      '`sink` is its type, with a number where there are several. Those of a buffer are there where a sink has one.',
    metrics: Object.values(AUDIT_METRICS),
  },
  {
    title: 'Traces',
    about: 'Where they are exported (`tracing`).',
    metrics: Object.values(TRACE_METRICS),
  },
  {
    title: 'Sign-in',
    about: '`outcome` is accepted or refused. What failed on our side, or was broken off, is neither.',
    metrics: Object.values(SIGN_IN_METRICS),
  },
  {
    title: 'Certificates',
    about: 'When they end; how many authorities roles trust, and which of them end soon, stands in the role itself.',
    metrics: Object.values(CERTIFICATE_METRICS),
  },
  {
    title: 'Revocation and keys of issuers',
    about: '`mount` is where the method is mounted.',
    metrics: Object.values(REVOCATION_METRICS),
  },
  {
    title: 'Runs and agents',
    about:
      '`pool` is the name of an agent pool, with its `organization`. Without one, it is `installation` for agents of the installation ' +
      'itself, and `none` for jobs of workspaces that have no pool. The levels are of all nodes together, whichever is asked: do not add ' +
      'them up over nodes.',
    metrics: Object.values(RUN_METRICS),
  },
  {
    title: 'States and locks',
    about: 'Of requests that came to this node.',
    metrics: Object.values(WORKSPACE_METRICS),
  },
  {
    title: 'Backup',
    about:
      'Of backups by the schedule and by hand, alike on every node: from the database. The interval is that of the configuration.',
    metrics: Object.values(BACKUP_METRICS),
  },
  {
    title: 'The process',
    about: 'As the library that collects them says; with workers, their sum.',
    metrics: processDefinitions(),
  },
];

/** `http_request_duration_seconds_bucket` is a series of a histogram. */
const SERIES = { counter: [''], gauge: [''], histogram: ['_bucket', '_count', '_sum'] };

/** What an expression may name: each series with its labels. Prometheus itself knows `up`. */
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
