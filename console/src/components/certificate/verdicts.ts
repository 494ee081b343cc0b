import type { AccessSchemas } from '../../api/client.ts';

export type ExplainedRole = AccessSchemas['CertExplainedRole'];
export type Verdict = AccessSchemas['CertVerdict'];

/** The checks that tell most: of the path that came furthest, what stood in the way first. */
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

/** In a few words, beside the name of the role. */
export function summaryOf(role: ExplainedRole): string {
  const { refused, passed } = verdictsOf(role);
  const all = refused.length + passed.length;
  if (role.admitted) return `${all} checks passed`;
  if (role.paths.length === 0) return 'no path reaches its authority';
  const names = refused.map(({ check }) => check).join(', ');
  return `${refused.length} of ${all} checks: ${names}`;
}
