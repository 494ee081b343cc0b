import { isoTime } from '../../lib/clock.ts';
import { type OcspDecision, REVOCATION_REASONS, type SingleResponse } from '../../x509/index.ts';

/**
 * Result of a request to one responder. The first three are verified responses. `unreachable` means that there was no
 * response, and `invalid` that the response failed verification or the request was not allowed. Fail-open tolerates
 * `unknown` and `unreachable`, but neither `revoked` nor `invalid`.
 */
export interface Outcome {
  readonly kind: 'good' | 'revoked' | 'unknown' | 'unreachable' | 'invalid';
  /** URL of the responder. */
  readonly server: string;
  /** Details, worded for an administrator. */
  readonly detail: string;
  /** Expiry of a verified response by its next update; undefined if it has none. */
  readonly validUntil?: number;
}

/** Returns whether the outcome is conclusive, so that no other responder is needed. */
export function isDecisive({ kind }: Outcome): boolean {
  return kind === 'good' || kind === 'revoked';
}

/** Converts a response whose verification succeeded or failed. */
export function outcomeOf(server: string, { verdicts, answer }: OcspDecision, maxAgeMs: number | undefined): Outcome {
  if (answer !== undefined) return answerOutcome(server, answer, maxAgeMs);
  const refused = verdicts.find(({ outcome }) => outcome === 'refused');
  const detail = `${refused?.check}: expected ${refused?.expected}; got ${refused?.actual}`;
  return { kind: 'invalid', server, detail };
}

function answerOutcome(server: string, answer: SingleResponse, maxAgeMs: number | undefined): Outcome {
  const { status, thisUpdate, nextUpdate } = answer;
  const since = `as of ${isoTime(thisUpdate)}`;
  if (status.type === 'unknown') return { kind: 'unknown', server, detail: `unknown, ${since}` };
  const detail = status.type === 'good' ? `good, ${since}` : revokedText(status);
  if (nextUpdate === undefined) return { kind: status.type, server, detail };
  const validUntil = maxAgeMs === undefined ? nextUpdate : Math.min(nextUpdate, thisUpdate + maxAgeMs);
  return { kind: status.type, server, detail, validUntil };
}

function revokedText({ at, reason }: { readonly at: number; readonly reason: number | undefined }): string {
  return `revoked at ${isoTime(at)} (${REVOCATION_REASONS[reason ?? 0] ?? `reason ${reason}`})`;
}
