import type { Issue } from '../../../lib/errors.ts';
import { attributeIssue } from '../../jsonapi/errors.ts';
import type { Settings } from '../model/settings.ts';
import type { Attributes } from './schema.ts';

type Execution = Pick<Settings, 'execution-mode' | 'agent-pool-id'>;

/** Official clients send `execution-mode` even when they request to inherit it: inheriting takes precedence. */
function inherits({ 'setting-overwrites': overwrites }: Attributes): boolean {
  return overwrites?.['execution-mode'] === false || overwrites?.['agent-pool'] === false;
}

/** Applies a client's attributes to execution mode and agent pool. The pool belongs to the mode. */
export function nextExecution(current: Execution, input: Attributes): Execution {
  if (inherits(input)) return { 'execution-mode': null, 'agent-pool-id': null };
  const mode = givenMode(input);
  const next = mode === undefined ? current['execution-mode'] : mode;
  if (next !== 'agent') return { 'execution-mode': next, 'agent-pool-id': null };
  const pool = input['agent-pool-id'];
  // Clients send an empty id for no pool.
  return { 'execution-mode': next, 'agent-pool-id': pool === undefined ? current['agent-pool-id'] : pool || null };
}

function givenMode({ 'execution-mode': mode, operations }: Attributes): Settings['execution-mode'] | undefined {
  if (mode || typeof operations !== 'boolean') return mode;
  return operations ? 'remote' : 'local';
}

/** Returns the errors in the input (spec §4.1). */
export function executionIssues(input: Attributes, next: Execution): Issue[] {
  return [...modeIssues(input, next), ...poolIssues(input, next)];
}

function modeIssues(input: Attributes, next: Execution): Issue[] {
  if (typeof input.operations === 'boolean' && input['execution-mode']) {
    return [attributeIssue('operations', 'Operations cannot be given together with execution mode')];
  }
  const overwrites = Object.values(input['setting-overwrites'] ?? {}).filter((value) => typeof value === 'boolean');
  if (new Set(overwrites).size > 1) return [attributeIssue('setting-overwrites', OVERWRITES_DIFFER)];
  if (overwrites.includes(true) && next['execution-mode'] === null) {
    return [attributeIssue('execution-mode', 'Execution mode is required when a value of setting-overwrites is true')];
  }
  return [];
}

function poolIssues(input: Attributes, next: Execution): Issue[] {
  if (next['execution-mode'] === 'agent') {
    if (next['agent-pool-id'] !== null) return [];
    return [attributeIssue('agent-pool-id', 'Agent pool is required when execution mode is agent')];
  }
  if (!input['agent-pool-id'] || inherits(input)) return [];
  return [attributeIssue('agent-pool-id', 'Agent pool can only be given when execution mode is agent')];
}

/** Official clients know this text. */
const OVERWRITES_DIFFER =
  'If agent-pool and execution-mode are both included in setting-overwrites, their values must be the same.';
