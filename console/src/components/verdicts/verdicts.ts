import { counted } from '../../format/number.ts';
import * as texts from './texts.ts';

/** One check, in the server's words. */
export interface Verdict {
  readonly check: string;
  readonly outcome: 'passed' | 'refused';
  readonly expected: string;
  readonly actual: string;
  readonly hint?: string;
  /** Certificate of the chain that the check is about. */
  readonly certificate?: { readonly subject: string };
}

/** Says how many of several roles or identities would accept a login. */
export function answerOf(
  asked: readonly { readonly admitted: boolean }[],
  leftOut: number,
  [one, many]: readonly [one: string, many: string] = ['role', 'roles'],
): string {
  const admitting = asked.filter(({ admitted }) => admitted).length;
  const of = `${asked.length} ${many}`;
  const rest = leftOut === 0 ? '' : texts.moreWereNotChecked(leftOut);
  if (asked.length === 0) return texts.thereIsNoThat(one);
  if (asked.length === 1) return texts.theOnlyWouldAcceptIt(one, admitting === 1 ? '' : texts.not, rest);
  return admitting === 0 ? texts.noneOfWouldAcceptIt(of, rest) : texts.ofWouldAcceptIt(admitting, of, rest);
}

/** Summarizes checks: how many failed, and which. */
export function summaryOf(refused: readonly Verdict[], passed: readonly Verdict[]): string {
  if (refused.length === 0) return texts.passed3(counted(passed.length, 'check'));
  return texts.ofChecksFailed(
    refused.length,
    refused.length + passed.length,
    refused.map(({ check }) => check).join(', '),
  );
}

/** Splits checks into refused and passed ones. */
export const sorted = <V extends Verdict>(verdicts: readonly V[]): { readonly refused: V[]; readonly passed: V[] } => ({
  refused: verdicts.filter(({ outcome }) => outcome === 'refused'),
  passed: verdicts.filter(({ outcome }) => outcome === 'passed'),
});

/** Sorts accepting roles or identities to the front. */
export const admittingFirst = <A extends { readonly admitted: boolean }>(asked: readonly A[]): A[] =>
  asked.toSorted((one, other) => Number(other.admitted) - Number(one.admitted));
