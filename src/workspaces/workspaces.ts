import type { BackgroundWork } from '../lib/background-work.ts';
import { createTenantFetch } from '../outbound/tenant-fetch.ts';
import type { Database } from '../storage/index.ts';
import { AuditTrail } from './audit-trail/index.ts';
import { createExecution, type Execution, type ExecutionOptions } from './execution/index.ts';
import type { Platform } from './platform/platform.ts';
import { createStates, type States } from './state/index.ts';
import { createTenancy, type MachineAuthenticator, type SessionTimes, type Tenancy } from './tenancy/index.ts';
import { createVariables, type VariableServices } from './variables/index.ts';
import { createVcs, type Vcs } from './vcs/index.ts';
import { createWorkspaceServices, type WorkspacePolicies, type WorkspaceServices } from './workspace/index.ts';

/** What the workspace API stands on, and what an operator decides. */
export interface WorkspacesOptions extends Platform, ExecutionOptions {
  /** Seconds between the snapshots of a state that command lines send while they apply; 0, or none: they send none. */
  readonly snapshotInterval?: number;
  /** Without one, no machine gets in. */
  readonly machines?: MachineAuthenticator;
  readonly policies?: WorkspacePolicies;
  /** Of people in a browser; absent: as built in. */
  readonly sessionTimes?: SessionTimes;
  /** Whether organizations may have providers of their own; absent: yes. */
  readonly organizationProviders?: boolean;
}

/** The wings of the workspace API: services, each of which asks first who wants something. */
export interface Workspaces {
  readonly database: Database;
  readonly tenancy: Tenancy;
  readonly workspace: WorkspaceServices;
  readonly states: States;
  readonly variables: VariableServices;
  readonly vcs: Vcs;
  readonly execution: Execution;
  readonly auditTrail: AuditTrail;
  readonly background: readonly BackgroundWork[];
}

/** Puts the wings together, each on those below. Opens nothing: the database is the caller's, and stays so. */
export function createWorkspaces(options: WorkspacesOptions): Workspaces {
  const { machines, policies = {}, snapshotInterval = 0 } = options;
  const { allowedAddresses = [], authorities = [] } = options.notifications ?? {};
  const issuers = { fetch: createTenantFetch(allowedAddresses), authorities };
  const tenancy = createTenancy(options, {
    ...{ machines, issuers },
    sessionTimes: options.sessionTimes,
    address: options.address,
    organizationProviders: options.organizationProviders,
  });
  const workspace = createWorkspaceServices(options, tenancy, policies);
  const states = createStates(options, tenancy, workspace, snapshotInterval);
  const variables = createVariables(options, tenancy, workspace);
  const vcs = createVcs(options, tenancy, workspace);
  const execution = createExecution(options, { tenancy, workspace, states, variables }, options);
  const auditTrail = new AuditTrail(options);
  const background = [tenancy, workspace, states, execution, auditTrail].flatMap((wing) => wing.background);
  return { database: options.database, tenancy, workspace, states, variables, vcs, execution, auditTrail, background };
}
