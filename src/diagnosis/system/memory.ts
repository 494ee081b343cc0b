import { readFile } from 'node:fs/promises';
import { type Finding, failure, skipped, success, warning } from '../../lib/finding/finding.ts';
import { sizeText } from '../disk/space.ts';
import type { Site } from '../model/site.ts';

const MIB = 1_048_576;
/** What a server takes before anybody asks for anything, bytes; each further process takes as much again. */
const LEAST = 192 * MIB;
const NEARLY_FULL = 0.9;

/** What a group of processes may take (https://docs.kernel.org/admin-guide/cgroup-v2.html), bytes. */
interface Group {
  readonly limit: number;
  readonly used: number;
  /** Processes that were killed for want of memory. */
  readonly killed: number;
}

/** The limit that the system sets for this group of processes: a container, a unit. */
export async function memory({ config: { workers = 1 } }: Site): Promise<Finding> {
  const group = await groupOf('/proc/self/cgroup');
  return group === undefined ? skipped('no limit of a group of processes') : memoryFinding(group, workers);
}

/** Whether that is enough for so many workers. */
export function memoryFinding({ limit, used, killed }: Group, workers: number): Finding {
  const found = `${sizeText(used)} of ${sizeText(limit)} in use`;
  const needed = LEAST * (workers > 1 ? workers + 1 : 1);
  if (limit < needed) return failure(found, `raise the limit: ${sizeText(needed)} are the least for so many processes`);
  if (killed > 0) return warning(`${found}, ${killed} processes were killed for want of memory`, 'raise the limit');
  // What is kept of files is counted too, and given back when it is wanted.
  return used > limit * NEARLY_FULL ? warning(found, 'raise the limit, if it stays like this') : success(found);
}

async function groupOf(file: string): Promise<Group | undefined> {
  const [, path] = /^0::(.*)$/m.exec(await readFile(file, 'utf8').catch(() => '')) ?? [];
  if (path === undefined) return undefined;
  // Within a container its own group is the root.
  for (const folder of [`/sys/fs/cgroup${path}`, '/sys/fs/cgroup']) {
    const limit = await numberIn(`${folder}/memory.max`);
    if (limit === undefined) continue;
    const used = (await numberIn(`${folder}/memory.current`)) ?? 0;
    const events = await readFile(`${folder}/memory.events`, 'utf8').catch(() => '');
    return { limit, used, killed: Number(/^oom_kill (\d+)/m.exec(events)?.[1] ?? 0) };
  }
  return undefined;
}

/** Undefined for `max` too. */
async function numberIn(file: string): Promise<number | undefined> {
  const number = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10);
  return Number.isNaN(number) ? undefined : number;
}
