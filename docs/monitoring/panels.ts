/** What the dashboard shows, row by row. */

/** One line, or one number, of a panel. */
interface Query {
  /** `$job` and `$instance` are chosen on the dashboard. */
  readonly expr: string;
  readonly legend: string;
}

/** As Grafana calls it. */
type Unit = 'short' | 'reqps' | 's' | 'bytes' | 'percentunit' | 'Bps' | 'ops' | 'dateTimeFromNow' | 'none';

export interface Panel {
  readonly title: string;
  readonly about: string;
  readonly type: 'timeseries' | 'stat' | 'table';
  readonly unit: Unit;
  readonly queries: readonly Query[];
  /** Of 24. */
  readonly width: number;
  readonly stacked?: true;
}

interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

/** Of the nodes that were chosen. */
const OWN = 'job="$job",instance=~"$instance"';
/** What is of all nodes, whichever was asked. */
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
      number('Nodes ready', 'Of those that are scraped.', 'none', `sum(lockkeeper_ready{${ALL}})`),
      number('Requests', 'All nodes together.', 'reqps', `sum(rate(http_requests_total{${ALL}}[${RATE}]))`),
      number(
        'Answered with 5xx',
        'Share of all requests.',
        'percentunit',
        `(sum(rate(http_requests_total{${ALL},status=~"5.."}[${RATE}])) or vector(0)) / sum(rate(http_requests_total{${ALL}}[${RATE}]))`,
      ),
      number(
        'Jobs that wait',
        'Of all pools.',
        'none',
        `sum(max by (organization, pool) (lockkeeper_jobs_waiting{${ALL}})) or vector(0)`,
      ),
      number(
        'Longest wait',
        'Of a job for an agent.',
        's',
        `max(lockkeeper_job_oldest_wait_seconds{${ALL}}) or vector(0)`,
      ),
      number(
        'Next certificate to end',
        'Of listeners.',
        's',
        `min(lockkeeper_tls_certificate_expiry_timestamp_seconds{${ALL}}) - time()`,
      ),
      {
        ...{ title: 'Versions', about: 'One line for each version that runs.', type: 'table', unit: 'none', width: 24 },
        queries: [{ expr: `count by (version, node) (lockkeeper_build_info{${ALL}})`, legend: '{{version}}' }],
      },
    ],
  },
  {
    title: 'Requests',
    panels: [
      lines('Requests by service', 'What is answered.', 'reqps', [
        { expr: rate('http_requests_total', 'service'), legend: '{{service}}' },
      ]),
      lines('Errors', 'By service and status.', 'reqps', [
        {
          expr: rate('http_requests_total', 'service, status', ',status=~"5..|429"'),
          legend: '{{service}} {{status}}',
        },
      ]),
      lines('What 50 and 99 of 100 take', 'Without large contents and those who want to wait.', 's', [
        { expr: quantile(0.5, 'http_request_duration_seconds', 'service'), legend: '{{service}} 50 %' },
        { expr: quantile(0.99, 'http_request_duration_seconds', 'service'), legend: '{{service}} 99 %' },
      ]),
      lines('In flight', 'Requests that are being answered.', 'short', [
        { expr: `sum by (instance) (http_requests_in_flight{${OWN}})`, legend: '{{instance}}' },
      ]),
      lines('Connections', 'Open ones.', 'short', [
        { expr: `sum by (instance, listener) (connections{${OWN}})`, legend: '{{instance}} {{listener}}' },
      ]),
      lines('Slowest routes', 'By what 99 of 100 take.', 's', [
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
      lines('Sign-ins', 'By way and outcome.', 'ops', [
        { expr: rate('lockkeeper_sign_ins_total', 'way, outcome'), legend: '{{way}} {{outcome}}' },
      ]),
      lines('TLS handshakes that failed', 'By listener.', 'ops', [
        { expr: rate('tls_handshake_errors_total', 'listener'), legend: '{{listener}}' },
      ]),
      lines('Authorities of roles', 'Those that have ended, or do so within 30 days.', 'short', [
        {
          expr: `max by (mount) (lockkeeper_role_authorities_expiring{${ALL}})`,
          legend: '{{mount}} end soon',
        },
        { expr: `max by (mount) (lockkeeper_role_authorities_expired{${ALL}})`, legend: '{{mount}} have ended' },
      ]),
      lines('Revocation lists', 'How old the oldest is.', 's', [
        { expr: `max by (mount) (lockkeeper_crl_oldest_age_seconds{${ALL}})`, legend: '{{mount}}' },
      ]),
      lines('Stale lists', 'Past their next update.', 'short', [
        { expr: `max by (mount) (lockkeeper_crls_stale{${ALL}})`, legend: '{{mount}}' },
      ]),
      lines('OCSP', 'What came of asking responders.', 'ops', [
        { expr: rate('ocsp_requests_total', 'kind'), legend: '{{kind}}' },
      ]),
    ],
  },
  {
    title: 'Runs and agents',
    panels: [
      lines(
        'Runs that are not over',
        'By status.',
        'short',
        [{ expr: `max by (status) (lockkeeper_runs{${ALL}}) > 0`, legend: '{{status}}' }],
        { stacked: true },
      ),
      lines('Runs that ended', 'By what became of them.', 'ops', [
        { expr: rate('lockkeeper_runs_ended_total', 'outcome'), legend: '{{outcome}}' },
      ]),
      lines('Jobs that wait', 'By pool.', 'short', [
        { expr: `max by (organization, pool) (lockkeeper_jobs_waiting{${ALL}})`, legend: POOL },
      ]),
      lines('Longest wait', 'By pool.', 's', [
        { expr: `max by (organization, pool) (lockkeeper_job_oldest_wait_seconds{${ALL}})`, legend: POOL },
      ]),
      lines('Agents', 'By what they do.', 'short', [
        {
          expr: `sum by (status) (max by (organization, pool, status) (lockkeeper_agents{${ALL}}))`,
          legend: '{{status}}',
        },
      ]),
      lines('What plans and applies take', '95 of 100.', 's', [
        { expr: quantile(0.95, 'lockkeeper_phase_duration_seconds', 'phase'), legend: '{{phase}}' },
        { expr: quantile(0.95, 'lockkeeper_phase_wait_seconds', 'phase'), legend: '{{phase}} waits' },
      ]),
      lines('Jobs lost', 'In the last hour, by what became of them.', 'short', [
        {
          expr: `sum by (outcome) (increase(lockkeeper_jobs_lost_total{${OWN}}[1h]))`,
          legend: '{{outcome}}',
        },
      ]),
      lines('Notifications and run tasks', 'By what became of them.', 'ops', [
        { expr: rate('notification_deliveries_total', 'outcome'), legend: 'notification {{outcome}}' },
        { expr: rate('run_task_requests_total', 'outcome'), legend: 'run task {{outcome}}' },
      ]),
      lines('To be sent', 'Since when the first of it is due.', 's', [
        { expr: `max by (queue) (lockkeeper_outbox_oldest_seconds{${ALL}})`, legend: '{{queue}}' },
      ]),
    ],
  },
  {
    title: 'States and locks',
    panels: [
      lines('States', 'That were sent, by outcome.', 'ops', [
        { expr: rate('lockkeeper_state_uploads_total', 'outcome'), legend: '{{outcome}}' },
      ]),
      lines('Bytes of states', 'That were stored.', 'Bps', [
        { expr: rate('lockkeeper_state_upload_bytes_total', 'instance'), legend: '{{instance}}' },
      ]),
      lines('Locks', 'Tries, by outcome.', 'ops', [
        { expr: rate('lockkeeper_workspace_locks_total', 'outcome'), legend: '{{outcome}}' },
      ]),
    ],
  },
  {
    title: 'Database, disks and the audit record',
    panels: [
      lines('Connections to PostgreSQL', 'In use, and how many there may be.', 'short', [
        {
          expr: `sum by (instance) (lockkeeper_database_connections{${OWN},state="in_use"})`,
          legend: '{{instance}} in use',
        },
        { expr: `sum by (instance) (lockkeeper_database_connections_max{${OWN}})`, legend: '{{instance}} at most' },
      ]),
      lines('Waiting for a connection', 'How many do on average.', 'short', [
        { expr: rate('lockkeeper_database_wait_seconds_total', 'instance'), legend: '{{instance}}' },
      ]),
      lines('Keyring', 'The newest key that each node has; 0 when it could not read the file anew.', 'none', [
        {
          expr: `lockkeeper_keyring_newest_key{${OWN}} * lockkeeper_keyring_current{${OWN}}`,
          legend: '{{instance}}',
        },
      ]),
      lines('Standbys', 'What they have not applied yet.', 'bytes', [
        {
          expr: `max by (standby) (lockkeeper_database_replication_lag_bytes{${ALL}})`,
          legend: '{{standby}}',
        },
      ]),
      lines('Free space', 'Share of the file system.', 'percentunit', [
        {
          expr: `lockkeeper_disk_free_bytes{${OWN}} / lockkeeper_disk_size_bytes{${OWN}}`,
          legend: '{{instance}} {{volume}}',
        },
      ]),
      lines('Audit sinks', '1 when a sink takes lines.', 'short', [
        { expr: `min by (instance, sink) (lockkeeper_audit_sink_up{${OWN}})`, legend: '{{instance}} {{sink}}' },
      ]),
      lines('Audit lines not taken', 'By sink.', 'ops', [
        { expr: rate('audit_failures_total', 'sink'), legend: '{{sink}}' },
      ]),
      lines('Audit lines that wait', 'For collectors.', 'bytes', [
        { expr: `sum by (instance, sink) (audit_buffer_bytes{${OWN}})`, legend: '{{instance}} {{sink}}' },
      ]),
      lines('Steps of the schema', 'That nodes know, and that the database has.', 'short', [
        {
          expr: `max by (instance, set, of) (lockkeeper_schema_step{${OWN}})`,
          legend: '{{instance}} {{set}} {{of}}',
        },
      ]),
    ],
  },
  {
    title: 'Backup',
    panels: [
      lines('Age', 'Of the last complete backup.', 's', [
        { expr: `time() - max(lockkeeper_backup_last_success_timestamp_seconds{${ALL}})`, legend: 'age' },
        { expr: `max(lockkeeper_backup_interval_seconds{${ALL}})`, legend: 'of the schedule' },
      ]),
      lines('Size', 'Of the last backup.', 'bytes', [
        { expr: `max(lockkeeper_backup_size_bytes{${ALL}})`, legend: 'size' },
      ]),
      lines('Duration', 'Of the last backup.', 's', [
        { expr: `max(lockkeeper_backup_duration_seconds{${ALL}})`, legend: 'duration' },
      ]),
    ],
  },
  {
    title: 'The process',
    panels: [
      lines('Memory', 'Resident.', 'bytes', [
        { expr: `sum by (instance) (process_resident_memory_bytes{${OWN}})`, legend: '{{instance}}' },
      ]),
      lines('Processor', 'Cores that are used.', 'short', [
        { expr: rate('process_cpu_seconds_total', 'instance'), legend: '{{instance}}' },
      ]),
      lines('Event loop', 'How late it is, 99 of 100.', 's', [
        { expr: `max by (instance) (nodejs_eventloop_lag_p99_seconds{${OWN}})`, legend: '{{instance}}' },
      ]),
    ],
  },
];
