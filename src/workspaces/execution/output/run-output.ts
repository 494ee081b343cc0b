import type { WorkspacePermission } from '../../tenancy/index.ts';
import type { PhaseKind } from '../lifecycle/phase.ts';

/** @limit a plan as JSON, or what is shown of it, or its schemas, bytes -> 413 */
const MAX_JSON = 134_217_728;
/** @limit the folder that a plan leaves to its apply, bytes -> 413 */
const MAX_FOLDER = 536_870_912;
/** @limit a state that could not be stored as such, bytes -> 413 */
const MAX_STATE = 268_435_456;

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
  'json-output': { of: 'plan', maxBytes: MAX_JSON, readBy: 'can-update', mediaType: JSON_TYPE },
  'json-output-redacted': { of: 'plan', maxBytes: MAX_JSON, readBy: 'can-read-run', mediaType: JSON_TYPE },
  'provider-schemas': { of: 'plan', maxBytes: MAX_JSON, readBy: 'can-read-run', mediaType: JSON_TYPE },
  folder: { of: 'plan', maxBytes: MAX_FOLDER, readBy: null, mediaType: 'application/octet-stream' },
  'errored-state': { of: 'apply', maxBytes: MAX_STATE, readBy: 'can-read-state-versions', mediaType: JSON_TYPE },
} as const satisfies Readonly<Record<string, Output>>;

/** One of them. */
export type OutputKind = keyof typeof OUTPUTS;
/** All of them. */
export const OUTPUT_KINDS = Object.keys(OUTPUTS) as OutputKind[];
