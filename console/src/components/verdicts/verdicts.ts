import { counted } from '../../format/number.ts';

/** A check, in the server's own words. */
export interface Verdict {
  readonly check: string;
  readonly outcome: 'passed' | 'refused';
  readonly expected: string;
  readonly actual: string;
  readonly hint?: string;
  /** Of those in a chain, the one that it is about. */
  readonly certificate?: { readonly subject: string };
}

/** Whether any of several would let it in. */
export function answerOf(
  asked: readonly { readonly admitted: boolean }[],
  leftOut: number,
  [one, many]: readonly [one: string, many: string] = ['role', 'roles'],
): string {
  const admitting = asked.filter(({ admitted }) => admitted).length;
  const of = `${asked.length} ${many}`;
  const rest = leftOut === 0 ? '' : `; ${leftOut} more were not asked: name one of them`;
  if (asked.length === 0) return `There is no ${one} that could let it in`;
  if (asked.length === 1) return `The only ${one} would ${admitting === 1 ? '' : 'not '}let it in${rest}`;
  return admitting === 0
    ? `None of ${of} would let it in${rest}`
    : `It would be let in by ${admitting} of ${of}${rest}`;
}

/** In a few words: how many refuse, and which. */
export function summaryOf(refused: readonly Verdict[], passed: readonly Verdict[]): string {
  if (refused.length === 0) return `${counted(passed.length, 'check')} passed`;
  return `${refused.length} of ${refused.length + passed.length} checks: ${refused.map(({ check }) => check).join(', ')}`;
}

/** Refusals first: they are what somebody came for. */
export const sorted = <V extends Verdict>(verdicts: readonly V[]): { readonly refused: V[]; readonly passed: V[] } => ({
  refused: verdicts.filter(({ outcome }) => outcome === 'refused'),
  passed: verdicts.filter(({ outcome }) => outcome === 'passed'),
});

/** Those that let it in before the others. */
export const admittingFirst = <A extends { readonly admitted: boolean }>(asked: readonly A[]): A[] =>
  asked.toSorted((one, other) => Number(other.admitted) - Number(one.admitted));
