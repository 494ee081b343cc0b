import { component, flag, integer, listOf, optional, text, time } from '../operation/schema.ts';

const CLUSTER = { cluster_name: text(), cluster_id: text('A UUID, the same on all nodes.') };
const version = text('Version of the compatible API, then of the server.');

const Failing = component('FailingCheck', { name: text(), ok: flag(), reason: optional(text()) });

export const Health = component(
  'Health',
  {
    initialized: flag(),
    sealed: flag(),
    standby: flag(),
    performance_standby: flag(),
    replication_performance_mode: text(),
    replication_dr_mode: text(),
    server_time_utc: integer('Seconds since 1970.'),
    version,
    enterprise: flag(),
    ...CLUSTER,
    echo_duration_ms: integer(),
    clock_skew_ms: integer(),
    failing: optional(listOf(Failing, 'Failed checks. Do not send requests to this node.')),
    audit: optional(component('AuditFailure', { ok: flag(), detail: text() })),
  },
  'Health of the server. The status is 200, or 503 if the server cannot serve requests.',
);

export const SealStatus = component('SealStatus', {
  type: text(),
  initialized: flag(),
  sealed: flag(),
  t: integer(),
  n: integer(),
  progress: integer(),
  nonce: text(),
  version,
  build_date: text(),
  migration: flag(),
  ...CLUSTER,
  recovery_seal: flag(),
  storage_type: text('`sqlite` or `postgres`.'),
});

export const Leader = component('Leader', {
  ha_enabled: flag(),
  is_self: flag(),
  active_time: time(),
  leader_address: text(),
  leader_cluster_address: text(),
  performance_standby: flag(),
  performance_standby_last_remote_wal: integer(),
});

export const Initialized = component('InitializationStatus', { initialized: flag() });
