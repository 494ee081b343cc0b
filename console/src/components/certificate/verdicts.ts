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

/** The answer to what was asked, first of all. */
export function answerOf(roles: readonly ExplainedRole[], leftOut: number): string {
  const admitting = roles.filter(({ admitted }) => admitted).length;
  const of = `${roles.length} roles`;
  const rest = leftOut === 0 ? '' : `; ${leftOut} more were not asked: name one of them`;
  if (roles.length === 0) return 'There is no role that could let it in';
  if (roles.length === 1) return `The only role would ${admitting === 1 ? '' : 'not '}let it in${rest}`;
  return admitting === 0
    ? `None of ${of} would let it in${rest}`
    : `It would be let in by ${admitting} of ${of}${rest}`;
}
