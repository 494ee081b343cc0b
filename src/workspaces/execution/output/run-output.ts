import { MAX_JOB_STATE, MAX_PLAN_FOLDER, MAX_PLAN_JSON } from '../../../lib/job/limits.ts';
import type { WorkspacePermission } from '../../tenancy/index.ts';
import type { PhaseKind } from '../lifecycle/phase.ts';

interface Output {
  readonly of: PhaseKind;
  readonly maxBytes: number;
  /** What somebody needs to read it; null for whoever carries the run out, and nobody else. */
  readonly readBy: WorkspacePermission | null;
  readonly mediaType: string;
}

const JSON_TYPE = 'application/json';

/**
 * What is handed in of a plan or an apply beside its log, under the names of its addresses. Secrets stand in
 * all of them but those that are redacted.
 */
export const OUTPUTS = {
  'json-output': { of: 'plan', maxBytes: MAX_PLAN_JSON, readBy: 'can-update', mediaType: JSON_TYPE },
  'json-output-redacted': { of: 'plan', maxBytes: MAX_PLAN_JSON, readBy: 'can-read-run', mediaType: JSON_TYPE },
  'provider-schemas': { of: 'plan', maxBytes: MAX_PLAN_JSON, readBy: 'can-read-run', mediaType: JSON_TYPE },
  folder: { of: 'plan', maxBytes: MAX_PLAN_FOLDER, readBy: null, mediaType: 'application/octet-stream' },
  'errored-state': { of: 'apply', maxBytes: MAX_JOB_STATE, readBy: 'can-read-state-versions', mediaType: JSON_TYPE },
} as const satisfies Readonly<Record<string, Output>>;

/** One of them. */
export type OutputKind = keyof typeof OUTPUTS;
/** All of them. */
export const OUTPUT_KINDS = Object.keys(OUTPUTS) as OutputKind[];
