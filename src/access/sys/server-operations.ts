import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { answersBare, answersRefusal } from '../operation/answer.ts';
import type { Operation } from '../operation/operation.ts';
import { type AuditRecord, auditOperations } from './audit-operations.ts';
import { HEALTH_FIELDS, healthReply, type Readiness, STATE } from './health.ts';
import { type RecentActivity, recentActivityOperation } from './recent-activity-operation.ts';
import type { ServerFacts } from './server-facts.ts';
import { Health, Initialized, Leader, SealStatus } from './sys-answers.ts';

export interface ServerParts {
  readonly facts: ServerFacts;
  readonly clock: Clock;
  /** Audit log. Absent if there is none. */
  readonly audit?: AuditRecord;
  /** Metrics. Absent if there are none. */
  readonly recentActivity?: RecentActivity;
  /** Readiness check. If absent, the server always counts as ready. */
  readonly readiness?: Readiness;
}

const NO_RECORD: AuditRecord = {
  health: () => ({ ok: true, detail: '' }),
  sinks: () => [],
  hash: (text) => text,
  async read() {
    throw new AppError('bad-request', 'the audit log is empty: no audit device is configured');
  },
};
const NO_ACTIVITY: RecentActivity = { node: '', points: async () => [] };
const ALWAYS_READY: Readiness = { health: async () => ({ ready: true, checks: [] }) };
const OPEN = { access: 'anyone' } as const;
/**
 * Operations for load balancers and starting clients. They always get a response, even while requests cannot be
 * audited.
 */
const QUESTION = { ...OPEN, verb: 'read', unaudited: true } as const;

/** Operations on the state of the server, most of them without a token. */
export function serverOperations(dependencies: ServerParts): readonly Operation[] {
  const { facts, clock, audit = NO_RECORD, recentActivity = NO_ACTIVITY, readiness = ALWAYS_READY } = dependencies;
  const { version, cluster, storageType } = facts;
  // There are no key shares, so the thresholds are 0.
  const sealStatus = {
    type: 'keyring',
    ...STATE,
    t: 0,
    n: 0,
    progress: 0,
    nonce: '',
    version,
    build_date: '',
    migration: false,
    ...cluster,
    recovery_seal: false,
    storage_type: storageType,
  };

  // All nodes are equal: there is no leader and no standby.
  const leader = {
    ha_enabled: false,
    is_self: false,
    active_time: '0001-01-01T00:00:00Z',
    leader_address: '',
    leader_cluster_address: '',
    performance_standby: false,
    performance_standby_last_remote_wal: 0,
  };

  return [
    ...auditOperations(audit),
    recentActivityOperation(recentActivity),
    {
      ...QUESTION,
      path: 'health',
      id: 'read-health-status',
      summary: 'Return the health of the server',
      answers: answersBare(Health, 429, 472, 473, 501, 503),
      fields: HEALTH_FIELDS,
      handle: async ({ data }) => {
        const server = await readiness.health();
        return healthReply(data, facts, { audit: audit.health(), server }, clock());
      },
    },
    {
      ...QUESTION,
      path: 'seal-status',
      id: 'seal-status',
      summary: 'Return the seal status of the server',
      answers: answersBare(SealStatus),
      handle: async () => ({ bare: sealStatus }),
    },
    {
      ...QUESTION,
      path: 'leader',
      id: 'leader-status',
      summary: 'Return the leader',
      answers: answersBare(Leader),
      handle: async () => ({ bare: leader }),
    },
    {
      ...QUESTION,
      path: 'init',
      id: 'read-initialization-status',
      summary: 'Return whether the server is initialized',
      answers: answersBare(Initialized),
      handle: async () => ({ bare: { initialized: true } }),
    },
    {
      ...OPEN,
      path: 'init',
      verb: 'update',
      id: 'initialize-system',
      summary: 'Initialize the server; always refused, because it is initialized',
      answers: answersRefusal(),
      async handle() {
        throw new AppError('bad-request', 'the server is already initialized');
      },
    },
    {
      ...OPEN,
      path: 'unseal',
      verb: 'update',
      id: 'unseal',
      summary: 'Unseal the server; returns its status, because it is not sealed',
      answers: answersBare(SealStatus),
      handle: async () => ({ bare: sealStatus }),
    },
    {
      path: 'seal',
      verb: 'update',
      access: 'sudo',
      id: 'seal',
      summary: 'Seal the server; always refused',
      answers: answersRefusal(),
      async handle() {
        throw new AppError(
          'bad-request',
          'a running server cannot be sealed, because its keyring is opened at start; stop the server instead',
        );
      },
    },
  ];
}
