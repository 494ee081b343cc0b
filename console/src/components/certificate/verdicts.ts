import type { AccessSchemas } from '../../api/client.ts';
import * as texts from './texts.ts';

export type ExplainedRole = AccessSchemas['CertExplainedRole'];
export type Verdict = AccessSchemas['CertVerdict'];

/** Returns the verdicts of the chain with the fewest refusals, in the order of the checks. */
export function verdictsOf({ paths, rejected }: ExplainedRole): {
  readonly refused: Verdict[];
  readonly passed: Verdict[];
} {
  const refusals = (path: (typeof paths)[number]) =>
    path.verdicts.filter(({ outcome }) => outcome === 'refused').length;
  const [best] = paths.toSorted((one, other) => refusals(one) - refusals(other));
  const verdicts = best === undefined ? rejected : best.verdicts;
  return {
    refused: verdicts.filter(({ outcome }) => outcome === 'refused'),
    passed: verdicts.filter(({ outcome }) => outcome === 'passed'),
  };
}

/** Summarizes the verdicts of a role in a few words. */
export function summaryOf(role: ExplainedRole): string {
  const { refused, passed } = verdictsOf(role);
  const all = refused.length + passed.length;
  if (role.admitted) return texts.checksPassed(all);
  if (role.paths.length === 0) return texts.noChainReachesTheCa;
  const names = refused.map(({ check }) => check).join(', ');
  return texts.ofChecksFailed(refused.length, all, names);
}
