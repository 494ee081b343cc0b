import type { JobEnd } from '../../ports.ts';
import type { Timings } from '../../timings.ts';

/** @limit reason of a failed job, characters -> it is truncated */
const MAX_REASON = 1000;

/** Returns the report of a job's end for the server, with the duration of its steps if it is traced. */
export function reportOf(end: JobEnd, timings?: Timings): { readonly data: object } {
  const times = timings && { took: timings.took, steps: timings.steps };
  return { data: { type: 'jobs', attributes: { ...attributesOf(end), ...times } } };
}

function attributesOf(end: JobEnd): object {
  if (end.kind === 'failed') return { outcome: 'failed', reason: end.reason.slice(0, MAX_REASON) };
  if (end.kind === 'canceled') return { outcome: 'canceled', 'is-forced': end.isForced };
  const { exit, engine, hasChanges, counts, findings, packages } = end;
  return {
    outcome: 'finished',
    exit,
    ...(engine !== undefined && { engine }),
    ...(hasChanges !== null && { 'has-changes': hasChanges }),
    ...(counts !== null && {
      'resource-additions': counts.additions,
      'resource-changes': counts.changes,
      'resource-destructions': counts.destructions,
      'resource-imports': counts.imports,
    }),
    ...(findings && {
      'resources-drifted': findings.resourcesDrifted,
      'resources-undrifted': findings.resourcesUndrifted,
      'checks-passed': findings.checks.pass,
      'checks-failed': findings.checks.fail,
      'checks-errored': findings.checks.error,
      'checks-unknown': findings.checks.unknown,
    }),
    ...(packages && { providers: packages.providers, modules: packages.modules }),
  };
}

/** Describes the end of a job in a few words for the agent's log. */
export function inWords(end: JobEnd): string {
  if (end.kind === 'failed') return `failed: ${end.reason}`;
  if (end.kind === 'canceled') return end.isForced ? 'force-canceled' : 'canceled';
  return `${end.step} exited with code ${end.exit}`;
}
