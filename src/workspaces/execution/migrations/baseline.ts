import type { Migration } from '../../../storage/index.ts';
import { agentTables } from './agent-tables.ts';
import { runTables } from './run-tables.ts';
import { triggers } from './triggers.ts';
import { workTables } from './work-tables.ts';

/** Migrations of earlier versions that created these tables step by step. */
const FORMER = [
  '0008-runs',
  '0011-agents',
  '0014-notifications',
  '0016-queue',
  '0017-run-tasks',
  '0019-certified-agents',
  '0020-run-outputs',
  '0022-jobs',
  '0023-workload-identity',
  '0024-assessments',
  '0029-changes',
  '0039-run-counts',
  '0052-waiting',
  '0054-planned',
  '0062-any-engine',
  '0066-commit-runs',
  '0071-forwarded-requests',
  '0072-auto-destroy',
  '0074-schedules',
  '0075-scheduled-runs',
  '0076-approvals',
  '0077-log-preface',
  '0078-notification-scopes',
  '0079-notification-digest',
  '0080-assessed-workspaces',
  '0083-explorer',
  '0084-requesters',
  '0086-organization-turns',
  '0088-email-usage',
];

/** Creates the tables of runs, agents, tasks, schedules, notifications. */
export const baseline: Migration = {
  name: '0006-execution',
  replaces: FORMER,
  replacedChecksum: {
    sqlite: '9914eb45980610c6cc9d188b134865350982cceef281074a8deb4b379b7a64e5',
    postgres: 'b5fa15bd50f8483c2722d44475549cad9b0cba2ee8cf1244585d7c6786730b60',
  },
  statements: (types) => [...agentTables(types), ...runTables(types), ...workTables(types), ...triggers(types)],
};
