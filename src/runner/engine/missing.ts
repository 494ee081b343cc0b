import { join } from 'node:path';
import type { EngineKind, Job } from '../job.ts';
import { type Engine, NAMES, PROGRAMS } from './kinds.ts';

/** `OpenTofu 1.12.6`, or `OpenTofu`. */
export const inWords = (kind: EngineKind, version: string | null): string =>
  version === null ? NAMES[kind] : `${NAMES[kind]} ${version}`;

/** @limit engines of an agent that the reason of a run without its engine names, engines -> the others are counted */
const MAX_NAMED = 5;

/** Why there is no engine for a job: what was looked for, where, and what can be done. One line. @param here engines that the agent has */
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
    `on the PATH, where there is ${found === '' ? 'none' : found}`,
  ];
  const other = here.some((engine) => engine.kind === kind) ? undefined : here[0];
  const ways = [
    place === undefined ? 'put it on the PATH' : 'put it there',
    ...(downloads && folder !== null ? [] : ['let the agent download engines']),
    ...(version === null ? [] : ['give the workspace another version']),
    ...(other === undefined ? [] : [`make ${NAMES[other.kind]} the engine of the workspace`]),
  ];
  const last = ways.pop();
  const todo = ways.length === 0 ? last : `${ways.join(', ')} or ${last}`;
  const what =
    constraint === null ? inWords(kind, version) : `A release of ${NAMES[kind]} that satisfies ${constraint}`;
  return `${what} is not on this agent (looked ${looked.join(' and ')}): ${todo}`;
}
