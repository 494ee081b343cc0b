import { counter, type Metrics } from '../../server/index.ts';
import { LOCK_OUTCOMES, UPLOAD_OUTCOMES, type Workspaces } from '../../workspaces/index.ts';

/** Metrics of states and locks. */
export const WORKSPACE_METRICS = {
  uploads: counter(
    'lockkeeper_state_uploads_total',
    'Uploaded states: stored, refused (invalid), or failed (aborted or storage error).',
    ['outcome'],
  ),
  uploadBytes: counter('lockkeeper_state_upload_bytes_total', 'Bytes of stored states.'),
  locks: counter(
    'lockkeeper_workspace_locks_total',
    'Lock and unlock requests. conflict: another user holds the lock; run_waits: a run waits for the lock.',
    ['outcome'],
  ),
} as const;

export function registerWorkspaces(metrics: Metrics, { states, workspace }: Workspaces): void {
  const uploads = metrics.counter(
    WORKSPACE_METRICS.uploads,
    UPLOAD_OUTCOMES.map((outcome) => ({ outcome })),
  );
  const bytes = metrics.counter(WORKSPACE_METRICS.uploadBytes);
  states.hooks.extend({
    onUploaded: (outcome, size) => {
      uploads.inc({ outcome });
      bytes.inc({}, size);
    },
  });
  const locks = metrics.counter(
    WORKSPACE_METRICS.locks,
    LOCK_OUTCOMES.map((outcome) => ({ outcome })),
  );
  workspace.locks.tried.push((outcome) => locks.inc({ outcome }));
}
