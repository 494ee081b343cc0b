import type { Certificate } from '../certificate/certificate.ts';
import type { PathOptions } from './options.ts';
import { validPaths } from './search.ts';
import type { ValidPath } from './valid-path.ts';
import type { Verdict } from './verdict.ts';

/** Result of a validation; accepted if there is a path. */
export interface Decision<Owner = undefined> {
  readonly path: ValidPath<Owner> | undefined;
  /** Refusals of paths that were tried before this one, or of all. */
  readonly refusals: readonly Verdict[];
}

/** Returns the first valid path, or why there is none. `validPaths` returns further paths. */
export function validate<Owner>(leaf: Certificate, options: Omit<PathOptions<Owner>, 'onReject'>): Decision<Owner> {
  const refusals: Verdict[] = [];
  const paths = validPaths(leaf, { ...options, onReject: (verdict) => refusals.push(verdict) });
  return { path: paths.next().value ?? undefined, refusals };
}
