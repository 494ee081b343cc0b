import { MAX_JOB_STATE, MAX_PLAN_FOLDER, MAX_PLAN_JSON } from '../../../lib/job/limits.ts';
import type { WorkspacePermission } from '../../tenancy/index.ts';
import type { PhaseKind } from '../lifecycle/phase.ts';

interface Output {
  readonly of: PhaseKind;
  readonly maxBytes: number;
  /** Permission to read the output; null if only the executing agent may. */
  readonly readBy: WorkspacePermission | null;
  readonly mediaType: string;
}

const JSON_TYPE = 'application/json';

/**
 * Outputs of a plan or an apply besides its log, by the names in their URLs. All except the redacted ones contain
 * secrets.
 */
export const OUTPUTS = {
  'json-output': { of: 'plan', maxBytes: MAX_PLAN_JSON, readBy: 'can-update', mediaType: JSON_TYPE },
  'json-output-redacted': { of: 'plan', maxBytes: MAX_PLAN_JSON, readBy: 'can-read-run', mediaType: JSON_TYPE },
  'provider-schemas': { of: 'plan', maxBytes: MAX_PLAN_JSON, readBy: 'can-read-run', mediaType: JSON_TYPE },
  folder: { of: 'plan', maxBytes: MAX_PLAN_FOLDER, readBy: null, mediaType: 'application/octet-stream' },
  'errored-state': { of: 'apply', maxBytes: MAX_JOB_STATE, readBy: 'can-read-state-versions', mediaType: JSON_TYPE },
} as const satisfies Readonly<Record<string, Output>>;

/** Name of an output. */
export type OutputKind = keyof typeof OUTPUTS;
/** All outputs. */
export const OUTPUT_KINDS = Object.keys(OUTPUTS) as OutputKind[];
