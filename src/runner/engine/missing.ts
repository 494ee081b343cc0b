import { join } from 'node:path';
import type { EngineKind, Job } from '../job.ts';
import { type Engine, NAMES, PROGRAMS } from './kinds.ts';

/** Returns for example `OpenTofu 1.12.6`; without a version `OpenTofu`. */
export const inWords = (kind: EngineKind, version: string | null): string =>
  version === null ? NAMES[kind] : `${NAMES[kind]} ${version}`;

/** @limit installed engines that the error about a missing engine lists, engines -> the others are counted */
const MAX_NAMED = 5;

/**
 * Returns the error for a job without an engine, in one line: what was searched, where, and what to do.
 * @param here engines of the agent
 */
export function notHere(
  { kind, version, constraint = null }: Job['engine'],
  { folder, downloads }: { readonly folder: string | null; readonly downloads?: object | null },
  here: readonly Engine[],
): string {
  const one = constraint === null ? (version ?? 'VERSION') : 'VERSION';
  const place = folder === null ? undefined : join(folder, kind, one, PROGRAMS[kind]);
  const all = [...new Set(here.map((engine) => inWords(engine.kind, engine.version)))];
  const more = all.length > MAX_NAMED ? [`${all.length - MAX_NAMED} more`] : [];
  const found = [...all.slice(0, MAX_NAMED), ...more].join(', ');
  const looked = [
    ...(place === undefined ? [] : [`in ${place}`]),
    `on the PATH, which has ${found === '' ? 'none' : found}`,
  ];
  const other = here.some((engine) => engine.kind === kind) ? undefined : here[0];
  const ways = [
    place === undefined ? 'install it on the PATH' : 'install it there',
    ...(downloads && folder !== null ? [] : ['enable engine downloads of the agent']),
    ...(version === null ? [] : ['set another version for the workspace']),
    ...(other === undefined ? [] : [`set the engine of the workspace to ${NAMES[other.kind]}`]),
  ];
  const last = ways.pop();
  const todo = ways.length === 0 ? last : `${ways.join(', ')} or ${last}`;
  const what =
    constraint === null ? inWords(kind, version) : `a release of ${NAMES[kind]} that satisfies ${constraint}`;
  return `This agent does not have ${what} (searched ${looked.join(' and ')}): ${todo}`;
}
