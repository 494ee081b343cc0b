import { isDecisive, type Outcome } from './outcome.ts';
import type { Question } from './question.ts';
import type { OcspSettings } from './settings.ts';

/** Result of a revocation check, worded for an administrator. */
export interface RevocationVerdict {
  readonly check: 'ocsp';
  readonly outcome: 'passed' | 'refused';
  readonly expected: string;
  readonly actual: string;
}

/** @limit details of OCSP responses in a message, characters -> the text is truncated */
const MAX_TEXT = 1024;

/**
 * Decides what the outcomes mean for a login. One `revoked` refuses it. `good` allows it if one response is enough, or
 * if all responders agree. In all other cases an outcome is `unknown`, `unreachable` or `invalid`; `failOpen`
 * tolerates the first two.
 */
export function decide({ settings }: Question, outcomes: readonly Outcome[]): RevocationVerdict {
  const actual = outcomes.map(({ server, detail }) => `${server}: ${detail}`).join('; ');
  return ocspVerdict(admits(settings, outcomes), expectation(settings), actual);
}

/**
 * Returns the verdict for a certificate without a responder. `failOpen` does not apply, because this is no
 * temporary failure.
 */
export function nobodyToAsk(settings: OcspSettings, why: string): RevocationVerdict {
  return ocspVerdict(false, expectation(settings), why);
}

/** Returns the outcomes that may be cached; none if they are inconclusive. */
export function settled({ settings }: Question, outcomes: readonly Outcome[]): readonly Outcome[] {
  const revoked = outcomes.filter(({ kind }) => kind === 'revoked');
  if (revoked.length > 0) return revoked;
  if (!settings.queryAllServers) return outcomes.filter(isDecisive);
  return outcomes.every(isDecisive) ? outcomes : [];
}

function admits({ queryAllServers, failOpen }: OcspSettings, outcomes: readonly Outcome[]): boolean {
  const has = (kind: Outcome['kind']) => outcomes.some((outcome) => outcome.kind === kind);
  if (has('revoked')) return false;
  if (has('good') && !queryAllServers) return true;
  if (has('invalid')) return false;
  return failOpen || !(has('unknown') || has('unreachable'));
}

function expectation({ queryAllServers, failOpen }: OcspSettings): string {
  const answer = queryAllServers ? 'good, from every responder' : 'good, from one responder';
  return failOpen ? `${answer}, or no answer at all (fail-open)` : answer;
}

function ocspVerdict(holds: boolean, expected: string, actual: string): RevocationVerdict {
  const text = actual.length > MAX_TEXT ? `${actual.slice(0, MAX_TEXT)}…` : actual;
  return { check: 'ocsp', outcome: holds ? 'passed' : 'refused', expected, actual: text };
}
