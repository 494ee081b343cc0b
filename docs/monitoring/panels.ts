/** Rows and panels of the dashboard. */

/** One series of a panel. */
interface Query {
  /** PromQL expression. May use the dashboard variables `$job` and `$instance`. */
  readonly expr: string;
  readonly legend: string;
}

/** Unit identifiers of Grafana. */
type Unit = 'short' | 'reqps' | 's' | 'bytes' | 'percentunit' | 'Bps' | 'ops' | 'dateTimeFromNow' | 'none';

export interface Panel {
  readonly title: string;
  readonly about: string;
  readonly type: 'timeseries' | 'stat' | 'table';
  readonly unit: Unit;
  readonly queries: readonly Query[];
  /** Width in grid columns; a row has 24. */
  readonly width: number;
  readonly stacked?: true;
}

interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

/** Selector for the chosen nodes. */
const OWN = 'job="$job",instance=~"$instance"';
/** Selector for values that are equal on every node. */
const ALL = 'job="$job"';
const RATE = '$__rate_interval';
const POOL = '{{organization}}/{{pool}}';

const rate = (metric: string, by: string, more = '') => `sum by (${by}) (rate(${metric}{${OWN}${more}}[${RATE}]))`;
const quantile = (part: number, metric: string, by: string, more = '') =>
  `histogram_quantile(${part}, ${rate(`${metric}_bucket`, `le, ${by}`, more)})`;

const lines = (
  title: string,
  about: string,
  unit: Unit,
  queries: readonly Query[],
  more: Partial<Panel> = {},
): Panel => ({
  ...{ title, about, type: 'timeseries', unit, queries, width: 8 },
  ...more,
});
const number = (title: string, about: string, unit: Unit, expr: string): Panel => ({
  ...{ title, about, type: 'stat', unit, queries: [{ expr, legend: title }], width: 4 },
});

export const ROWS: readonly Row[] = [
  {
    title: 'At a glance',
    panels: [
      number('Nodes ready', 'Number of ready nodes that Prometheus scrapes.', 'none', `sum(lockkeeper_ready{${ALL}})`),
      number('Requests', 'Requests a second of all nodes.', 'reqps', `sum(rate(http_requests_total{${ALL}}[${RATE}]))`),
      number(
        '5xx responses',
        'Share of requests that fail with 5xx.',
        'percentunit',
        `(sum(rate(http_requests_total{${ALL},status=~"5.."}[${RATE}])) or vector(0)) / sum(rate(http_requests_total{${ALL}}[${RATE}]))`,
      ),
      number(
        'Waiting jobs',
        'Jobs that wait for an agent, in all pools.',
        'none',
        `sum(max by (organization, pool) (lockkeeper_jobs_waiting{${ALL}})) or vector(0)`,
      ),
      number(
        'Longest wait',
        'Time for which the oldest waiting job waits for an agent.',
        's',
        `max(lockkeeper_job_oldest_wait_seconds{${ALL}}) or vector(0)`,
      ),
      number(
        'Next certificate expiry',
        'Time until the first listener certificate expires.',
        's',
        `min(lockkeeper_tls_certificate_expiry_timestamp_seconds{${ALL}}) - time()`,
      ),
      {
        ...{ title: 'Versions', about: 'One line for each running version.', type: 'table', unit: 'none', width: 24 },
        queries: [{ expr: `count by (version, node) (lockkeeper_build_info{${ALL}})`, legend: '{{version}}' }],
      },
    ],
  },
  {
    title: 'Requests',
    panels: [
      lines('Requests by service', 'Completed requests.', 'reqps', [
        { expr: rate('http_requests_total', 'service'), legend: '{{service}}' },
      ]),
      lines('Errors', 'Errors by service and status.', 'reqps', [
        {
          expr: rate('http_requests_total', 'service, status', ',status=~"5..|429"'),
          legend: '{{service}} {{status}}',
        },
      ]),
      lines('Latency', '50th and 99th percentile, without large transfers and long polls.', 's', [
        { expr: quantile(0.5, 'http_request_duration_seconds', 'service'), legend: '{{service}} 50 %' },
        { expr: quantile(0.99, 'http_request_duration_seconds', 'service'), legend: '{{service}} 99 %' },
      ]),
      lines('In flight', 'Requests in progress.', 'short', [
        { expr: `sum by (instance) (http_requests_in_flight{${OWN}})`, legend: '{{instance}}' },
      ]),
      lines('Connections', 'Open connections.', 'short', [
        { expr: `sum by (instance, listener) (connections{${OWN}})`, legend: '{{instance}} {{listener}}' },
      ]),
      lines('Slowest routes', 'Routes with the highest 99th percentile of latency.', 's', [
        {
          expr: `topk(5, ${quantile(0.99, 'http_request_duration_seconds', 'method, route')})`,
          legend: '{{method}} {{route}}',
        },
      ]),
    ],
  },
  {
    title: 'Sign-in and certificates',
    panels: [
      lines('Sign-ins', 'Sign-ins by method and outcome.', 'ops', [
        { expr: rate('lockkeeper_sign_ins_total', 'way, outcome'), legend: '{{way}} {{outcome}}' },
      ]),
      lines('Failed TLS handshakes', 'Failed TLS handshakes by listener.', 'ops', [
        { expr: rate('tls_handshake_errors_total', 'listener'), legend: '{{listener}}' },
      ]),
      lines('CA certificates of roles', 'CA certificates that have expired, or expire within 30 days.', 'short', [
        {
          expr: `max by (mount) (lockkeeper_role_authorities_expiring{${ALL}})`,
          legend: '{{mount}} expiring',
        },
        { expr: `max by (mount) (lockkeeper_role_authorities_expired{${ALL}})`, legend: '{{mount}} expired' },
      ]),
      lines('CRL age', 'Age of the oldest CRL.', 's', [
        { expr: `max by (mount) (lockkeeper_crl_oldest_age_seconds{${ALL}})`, legend: '{{mount}}' },
      ]),
      lines('Stale CRLs', 'CRLs past their next update.', 'short', [
        { expr: `max by (mount) (lockkeeper_crls_stale{${ALL}})`, legend: '{{mount}}' },
      ]),
      lines('OCSP', 'OCSP requests by result.', 'ops', [
        { expr: rate('ocsp_requests_total', 'kind'), legend: '{{kind}}' },
      ]),
    ],
  },
  {
    title: 'Runs and agents',
    panels: [
      lines(
        'Active runs',
        'By status.',
        'short',
        [{ expr: `max by (status) (lockkeeper_runs{${ALL}}) > 0`, legend: '{{status}}' }],
        { stacked: true },
      ),
      lines('Finished runs', 'By outcome.', 'ops', [
        { expr: rate('lockkeeper_runs_ended_total', 'outcome'), legend: '{{outcome}}' },
      ]),
      lines('Waiting jobs', 'By pool.', 'short', [
        { expr: `max by (organization, pool) (lockkeeper_jobs_waiting{${ALL}})`, legend: POOL },
      ]),
      lines('Longest wait', 'By pool.', 's', [
        { expr: `max by (organization, pool) (lockkeeper_job_oldest_wait_seconds{${ALL}})`, legend: POOL },
      ]),
      lines('Agents', 'By status.', 'short', [
        {
          expr: `sum by (status) (max by (organization, pool, status) (lockkeeper_agents{${ALL}}))`,
          legend: '{{status}}',
        },
      ]),
      lines('Plan and apply duration', '95th percentile.', 's', [
        { expr: quantile(0.95, 'lockkeeper_phase_duration_seconds', 'phase'), legend: '{{phase}}' },
        { expr: quantile(0.95, 'lockkeeper_phase_wait_seconds', 'phase'), legend: '{{phase}} wait' },
      ]),
      lines('Lost jobs', 'Jobs lost in the last hour, by outcome.', 'short', [
        {
          expr: `sum by (outcome) (increase(lockkeeper_jobs_lost_total{${OWN}}[1h]))`,
          legend: '{{outcome}}',
        },
      ]),
      lines('Notifications and run tasks', 'By outcome.', 'ops', [
        { expr: rate('notification_deliveries_total', 'outcome'), legend: 'notification {{outcome}}' },
        { expr: rate('run_task_requests_total', 'outcome'), legend: 'run task {{outcome}}' },
      ]),
      lines('Outbox delay', 'Time since the oldest message became due.', 's', [
        { expr: `max by (queue) (lockkeeper_outbox_oldest_seconds{${ALL}})`, legend: '{{queue}}' },
      ]),
    ],
  },
  {
    title: 'States and locks',
    panels: [
      lines('State uploads', 'By outcome.', 'ops', [
        { expr: rate('lockkeeper_state_uploads_total', 'outcome'), legend: '{{outcome}}' },
      ]),
      lines('State bytes', 'Stored bytes a second.', 'Bps', [
        { expr: rate('lockkeeper_state_upload_bytes_total', 'instance'), legend: '{{instance}}' },
      ]),
      lines('Locks', 'Lock attempts by outcome.', 'ops', [
        { expr: rate('lockkeeper_workspace_locks_total', 'outcome'), legend: '{{outcome}}' },
      ]),
    ],
  },
  {
    title: 'Database, disks and audit log',
    panels: [
      lines('Connections to PostgreSQL', 'Connections in use, and their maximum number.', 'short', [
        {
          expr: `sum by (instance) (lockkeeper_database_connections{${OWN},state="in_use"})`,
          legend: '{{instance}} in use',
        },
        { expr: `sum by (instance) (lockkeeper_database_connections_max{${OWN}})`, legend: '{{instance}} maximum' },
      ]),
      lines('Waiting for a connection', 'Average number of waiting requests.', 'short', [
        { expr: rate('lockkeeper_database_wait_seconds_total', 'instance'), legend: '{{instance}}' },
      ]),
      lines('Keyring', 'Newest key of each node; 0 if the node could not reload its keyring file.', 'none', [
        {
          expr: `lockkeeper_keyring_newest_key{${OWN}} * lockkeeper_keyring_current{${OWN}}`,
          legend: '{{instance}}',
        },
      ]),
      lines('Standby lag', 'Bytes that standbys have not applied yet.', 'bytes', [
        {
          expr: `max by (standby) (lockkeeper_database_replication_lag_bytes{${ALL}})`,
          legend: '{{standby}}',
        },
      ]),
      lines('Free space', 'Free share of the file system.', 'percentunit', [
        {
          expr: `lockkeeper_disk_free_bytes{${OWN}} / lockkeeper_disk_size_bytes{${OWN}}`,
          legend: '{{instance}} {{volume}}',
        },
      ]),
      lines('Audit sinks', '1 if the sink accepts entries.', 'short', [
        { expr: `min by (instance, sink) (lockkeeper_audit_sink_up{${OWN}})`, legend: '{{instance}} {{sink}}' },
      ]),
      lines('Failed audit entries', 'By sink.', 'ops', [
        { expr: rate('audit_failures_total', 'sink'), legend: '{{sink}}' },
      ]),
      lines('Audit buffer', 'Bytes that wait for collectors.', 'bytes', [
        { expr: `sum by (instance, sink) (audit_buffer_bytes{${OWN}})`, legend: '{{instance}} {{sink}}' },
      ]),
      lines('Schema version', 'Latest migration that nodes know, and that the database has.', 'short', [
        {
          expr: `max by (instance, set, of) (lockkeeper_schema_step{${OWN}})`,
          legend: '{{instance}} {{set}} {{of}}',
        },
      ]),
    ],
  },
  {
    title: 'Background tasks',
    panels: [
      lines('Failing or overdue tasks', '1 for each task that fails or is overdue.', 'none', [
        { expr: `1 - min by (task) (lockkeeper_background_task_ok{${ALL}})`, legend: '{{task}}' },
      ]),
      lines('Duration of tasks', 'Duration of the last run.', 's', [
        { expr: `max by (task) (lockkeeper_background_task_last_duration_seconds{${ALL}})`, legend: '{{task}}' },
      ]),
      lines('Failed runs of tasks', 'Failed runs a second.', 'ops', [
        { expr: rate('lockkeeper_background_task_failures_total', 'task'), legend: '{{task}}' },
      ]),
      lines('Leader', '1 for the node that runs the tasks of the leader.', 'none', [
        { expr: `max by (instance) (lockkeeper_background_leader{${OWN}})`, legend: '{{instance}}' },
      ]),
    ],
  },
  {
    title: 'Backup',
    panels: [
      lines('Backup age', 'Age of the last complete backup.', 's', [
        { expr: `time() - max(lockkeeper_backup_last_success_timestamp_seconds{${ALL}})`, legend: 'age' },
        { expr: `max(lockkeeper_backup_interval_seconds{${ALL}})`, legend: 'schedule interval' },
      ]),
      lines('Backup size', 'Size of the last backup.', 'bytes', [
        { expr: `max(lockkeeper_backup_size_bytes{${ALL}})`, legend: 'size' },
      ]),
      lines('Backup duration', 'Duration of the last backup.', 's', [
        { expr: `max(lockkeeper_backup_duration_seconds{${ALL}})`, legend: 'duration' },
      ]),
    ],
  },
  {
    title: 'Process',
    panels: [
      lines('Memory', 'Resident memory.', 'bytes', [
        { expr: `sum by (instance) (process_resident_memory_bytes{${OWN}})`, legend: '{{instance}}' },
      ]),
      lines('CPU', 'Cores in use.', 'short', [
        { expr: rate('process_cpu_seconds_total', 'instance'), legend: '{{instance}}' },
      ]),
      lines('Event loop', '99th percentile of event loop delay.', 's', [
        { expr: `max by (instance) (nodejs_eventloop_lag_p99_seconds{${OWN}})`, legend: '{{instance}}' },
      ]),
    ],
  },
];
