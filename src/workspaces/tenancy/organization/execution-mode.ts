import type { Issue } from '../../../lib/errors.ts';
import { attributeIssue } from '../../jsonapi/errors.ts';
import type { AgentPools } from '../hooks/hooks.ts';

/** Where runs are carried out; `local` keeps the state alone (spec §4.1). */
export const EXECUTION_MODES = ['remote', 'local', 'agent'] as const;
/** One of EXECUTION_MODES. */
export type ExecutionMode = (typeof EXECUTION_MODES)[number];

/** What workspaces get that do not say for themselves. A mode of null is what the organization says. */
export interface ExecutionDefaults {
  readonly defaultExecutionMode: ExecutionMode | null;
  /** Of the mode `agent`, and of no other. */
  readonly defaultAgentPoolId: string | null;
}

/** What a client says of them; what is absent keeps its value. */
export interface ExecutionInput {
  readonly mode?: ExecutionMode | null | undefined;
  readonly agentPoolId?: string | null | undefined;
  /** True: what is said here counts. False: what is inherited. */
  readonly overwrites?: { readonly mode?: boolean | null; readonly agentPool?: boolean | null } | null | undefined;
}

/** The pool goes when the mode that needs it does. Clients send an empty id for none. */
export function nextExecution(current: ExecutionDefaults, input: ExecutionInput): ExecutionDefaults {
  if (input.overwrites?.mode === false || input.overwrites?.agentPool === false) {
    return { defaultExecutionMode: null, defaultAgentPoolId: null };
  }
  const defaultExecutionMode = input.mode === undefined ? current.defaultExecutionMode : input.mode;
  const kept = defaultExecutionMode === 'agent' ? current.defaultAgentPoolId : null;
  return { defaultExecutionMode, defaultAgentPoolId: (input.agentPoolId ?? kept) || null };
}

/** What is wrong with defaults that a client asks for. The words in the middle are known to official clients. */
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

/** Refuses a pool that is not there. */
export async function poolIssues(pools: AgentPools, organizationId: string, next: ExecutionDefaults): Promise<Issue[]> {
  const id = next.defaultAgentPoolId;
  if (id === null || (await pools.exists(organizationId, id))) return [];
  return [attributeIssue('default-agent-pool-id', 'Default agent pool not found')];
}
