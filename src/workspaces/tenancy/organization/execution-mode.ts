import type { Issue } from '../../../lib/errors.ts';
import { attributeIssue } from '../../jsonapi/errors.ts';
import type { AgentPools } from '../hooks/hooks.ts';

/** Modes of execution. In `local` mode the server only stores the state (spec §4.1). */
export const EXECUTION_MODES = ['remote', 'local', 'agent'] as const;
export type ExecutionMode = (typeof EXECUTION_MODES)[number];

/** Defaults for workspaces that do not set their own. A null mode inherits from the organization. */
export interface ExecutionDefaults {
  readonly defaultExecutionMode: ExecutionMode | null;
  /** Set only if the mode is `agent`. */
  readonly defaultAgentPoolId: string | null;
}

/** Changes from a client. Missing fields keep their values. */
export interface ExecutionInput {
  readonly mode?: ExecutionMode | null | undefined;
  readonly agentPoolId?: string | null | undefined;
  /** True: the given value is used. False: the value is inherited. */
  readonly overwrites?: { readonly mode?: boolean | null; readonly agentPool?: boolean | null } | null | undefined;
}

/**
 * Returns the execution settings after the input. The pool is removed when the mode is no longer `agent`. Clients send
 * an empty id for no pool.
 */
export function nextExecution(current: ExecutionDefaults, input: ExecutionInput): ExecutionDefaults {
  if (input.overwrites?.mode === false || input.overwrites?.agentPool === false) {
    return { defaultExecutionMode: null, defaultAgentPoolId: null };
  }
  const defaultExecutionMode = input.mode === undefined ? current.defaultExecutionMode : input.mode;
  const kept = defaultExecutionMode === 'agent' ? current.defaultAgentPoolId : null;
  return { defaultExecutionMode, defaultAgentPoolId: (input.agentPoolId ?? kept) || null };
}

/** Returns the errors of the requested defaults. Official clients match on the words in the middle. */
export function executionIssues(next: ExecutionDefaults, { overwrites }: ExecutionInput): Issue[] {
  const { defaultExecutionMode: mode, defaultAgentPoolId: pool } = next;
  const given = [overwrites?.mode, overwrites?.agentPool].filter((value) => typeof value === 'boolean');
  if (new Set(given).size > 1) return [attributeIssue('setting-overwrites', OVERWRITES_DIFFER)];
  if (given.includes(true) && mode === null) return [attributeIssue('default-execution-mode', MODE_MISSING)];
  if (mode === 'agent' && pool === null) return [attributeIssue('default-agent-pool-id', POOL_MISSING)];
  if (mode !== 'agent' && pool !== null) return [attributeIssue('default-agent-pool-id', POOL_UNUSED)];
  return [];
}

const OVERWRITES_DIFFER =
  'If agent-pool and execution-mode are both included in setting-overwrites, their values must be the same.';
const MODE_MISSING = 'Default execution mode must be specified when it overwrites the default';
const POOL_MISSING = "Default agent pool must be specified when using 'agent' execution mode";
const POOL_UNUSED = "Default agent pool must not be specified unless using 'agent' execution mode";

/** Returns an error if the pool does not exist. */
export async function poolIssues(pools: AgentPools, organizationId: string, next: ExecutionDefaults): Promise<Issue[]> {
  const id = next.defaultAgentPoolId;
  if (id === null || (await pools.exists(organizationId, id))) return [];
  return [attributeIssue('default-agent-pool-id', 'Default agent pool not found')];
}
