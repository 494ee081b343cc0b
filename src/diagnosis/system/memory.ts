import { readFile } from 'node:fs/promises';
import { type Finding, failure, skipped, success, warning } from '../../lib/finding/finding.ts';
import { sizeText } from '../disk/space.ts';
import type { Site } from '../model/site.ts';

const MIB = 1_048_576;
/** Memory of an idle server, bytes; each further process takes the same again. */
const LEAST = 192 * MIB;
const NEARLY_FULL = 0.9;

/** Limits of a control group (https://docs.kernel.org/admin-guide/cgroup-v2.html), bytes. */
interface Group {
  readonly limit: number;
  readonly used: number;
  /** Number of processes that the OOM killer ended. */
  readonly killed: number;
}

/** Checks the memory limit of this control group: a container or a systemd unit. */
export async function memory({ config: { workers = 1 } }: Site): Promise<Finding> {
  const group = await groupOf('/proc/self/cgroup');
  return group === undefined ? skipped('no memory limit (control group)') : memoryFinding(group, workers);
}

/** Evaluates whether the limit is enough for this number of processes. */
export function memoryFinding({ limit, used, killed }: Group, workers: number): Finding {
  const found = `${sizeText(used)} of ${sizeText(limit)} in use`;
  const needed = LEAST * (workers > 1 ? workers + 1 : 1);
  if (limit < needed)
    return failure(found, `raise the limit: this number of processes needs at least ${sizeText(needed)}`);
  if (killed > 0) return warning(`${found}, ${killed} processes were killed because memory ran out`, 'raise the limit');
  // The page cache counts too, and is freed on demand.
  return used > limit * NEARLY_FULL ? warning(found, 'raise the limit if usage stays this high') : success(found);
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

/** Returns undefined for `max` too. */
async function numberIn(file: string): Promise<number | undefined> {
  const number = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10);
  return Number.isNaN(number) ? undefined : number;
}
