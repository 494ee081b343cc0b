import { join } from 'node:path';
import type { EngineKind, Job } from '../job.ts';
import { type Engine, NAMES, PROGRAMS } from './kinds.ts';

/** `OpenTofu 1.12.6`, or `OpenTofu`. */
export const inWords = (kind: EngineKind, version: string | null): string =>
  version === null ? NAMES[kind] : `${NAMES[kind]} ${version}`;

/** Why there is no engine for a job: what was looked for, where, and what can be done. One line. */
export function notHere(
  { kind, version, constraint = null }: Job['engine'],
  { folder, downloads }: { readonly folder: string | null; readonly downloads?: object | null },
  onPath: readonly Engine[],
): string {
  const one = constraint === null ? (version ?? 'VERSION') : 'VERSION';
  const place = folder === null ? undefined : join(folder, kind, one, PROGRAMS[kind]);
  const found = onPath.map((engine) => inWords(engine.kind, engine.version)).join(' and ');
  const looked = [
    ...(place === undefined ? [] : [`in ${place}`]),
    `on the PATH, where there is ${found === '' ? 'none' : found}`,
  ];
  const other = onPath.find((engine) => engine.kind !== kind);
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
