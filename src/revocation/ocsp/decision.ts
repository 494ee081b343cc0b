import { isDecisive, type Outcome } from './outcome.ts';
import type { Question } from './question.ts';
import type { OcspSettings } from './settings.ts';

/** The finding of a check for revocation, in words for an administrator. */
export interface RevocationVerdict {
  readonly check: 'ocsp';
  readonly outcome: 'passed' | 'refused';
  readonly expected: string;
  readonly actual: string;
}

/** @limit what is told of the answers, characters -> it is cut */
const MAX_TEXT = 1024;

/**
 * What the outcomes mean for a login. Revoked by anyone is revoked. Good is good when one answer is enough, or when all agree. In
 * all other cases something is missing, which `failOpen` forgives unless an answer was there that must not be believed.
 */
export function decide({ settings }: Question, outcomes: readonly Outcome[]): RevocationVerdict {
  const actual = outcomes.map(({ server, detail }) => `${server}: ${detail}`).join('; ');
  return ocspVerdict(admits(settings, outcomes), expectation(settings), actual);
}

/** Of a certificate that nobody can be asked about. Not forgiven: nothing is out of order that could come back. */
export function nobodyToAsk(settings: OcspSettings, why: string): RevocationVerdict {
  return ocspVerdict(false, expectation(settings), why);
}

/** The outcomes that may be kept for the next login; none when they do not settle the question. */
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
