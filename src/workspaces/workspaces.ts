import type { BackgroundWork } from '../lib/background/background-work.ts';
import { createTenantFetch } from '../outbound/tenant-fetch.ts';
import type { Database } from '../storage/index.ts';
import { AuditTrail } from './audit-trail/index.ts';
import { Delivery, type DeliveryOptions } from './delivery/index.ts';
import { createExecution, type Execution, type ExecutionOptions } from './execution/index.ts';
import type { Platform } from './platform/platform.ts';
import { createStates, type States } from './state/index.ts';
import {
  createTenancy,
  type InvitationLimits,
  type MachineAuthenticator,
  type SessionTimes,
  type Tenancy,
} from './tenancy/index.ts';
import { createVariables, type VariableServices } from './variables/index.ts';
import { createVcs, type Vcs, type VcsOptions } from './vcs/index.ts';
import { createWorkspaceServices, type WorkspacePolicies, type WorkspaceServices } from './workspace/index.ts';

/** Dependencies of the workspace API, and the operator's settings. */
export interface WorkspacesOptions extends Platform, ExecutionOptions {
  /** Receivers to which the server may send messages, and the log of dropped messages. */
  readonly notifications?: DeliveryOptions;
  /** Seconds between the state snapshots that command lines send during an apply; 0 or absent: none. */
  readonly snapshotInterval?: number;
  /** Without it, machines cannot authenticate. */
  readonly machines?: MachineAuthenticator;
  readonly policies?: WorkspacePolicies;
  /** Limits of browser sessions; absent: the defaults. */
  readonly sessionTimes?: SessionTimes;
  /** Rules for requests to VCS providers. */
  readonly vcs?: VcsOptions;
  /** Whether organizations may configure their own sign-in providers; default: true. */
  readonly organizationProviders?: boolean;
  /** Whether the link of an invitation lets its holder create an account; default: false. */
  readonly invitedAccounts?: boolean;
  /** Daily limits of invitations of the whole server; absent: the defaults. */
  readonly invitationLimits?: InvitationLimits;
}

/** Services of the workspace API. Each one checks permissions first. */
export interface Workspaces {
  readonly database: Database;
  readonly delivery: Delivery;
  readonly tenancy: Tenancy;
  readonly workspace: WorkspaceServices;
  readonly states: States;
  readonly variables: VariableServices;
  readonly vcs: Vcs;
  readonly execution: Execution;
  readonly auditTrail: AuditTrail;
  readonly background: readonly BackgroundWork[];
}

/** Wires the workspace modules in dependency order. The caller owns the database connection. */
export function createWorkspaces(options: WorkspacesOptions): Workspaces {
  const { machines, policies = {}, snapshotInterval = 0 } = options;
  const { allowedAddresses = [], authorities = [] } = options.notifications ?? {};
  const issuers = { fetch: createTenantFetch(allowedAddresses), authorities };
  const delivery = new Delivery(options, options.notifications);
  const tenancy = createTenancy(options, {
    ...{ machines, issuers },
    sessionTimes: options.sessionTimes,
    address: options.address,
    organizationProviders: options.organizationProviders,
    invitedAccounts: options.invitedAccounts,
    invitationLimits: options.invitationLimits,
    delivery,
    recoversWorkspaces: policies.recoverableFor !== 0,
  });
  const workspace = createWorkspaceServices(options, tenancy, policies);
  const states = createStates(options, tenancy, workspace, snapshotInterval);
  const variables = createVariables(options, tenancy, workspace);
  const vcs = createVcs(options, { delivery, tenancy, workspace, address: options.address }, options.vcs);
  const execution = createExecution(options, { delivery, tenancy, workspace, states, variables, vcs }, options);
  const auditTrail = new AuditTrail(options);
  const background = [delivery, tenancy, workspace, states, vcs, execution, auditTrail].flatMap(
    (module) => module.background,
  );
  return {
    database: options.database,
    delivery,
    tenancy,
    workspace,
    states,
    variables,
    vcs,
    execution,
    auditTrail,
    background,
  };
}
