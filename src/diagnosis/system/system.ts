import { readdir, readFile } from 'node:fs/promises';
import { type Finding, failure, skipped, success, warning } from '../../lib/finding/finding.ts';
import { version } from '../../version.ts';
import type { Subject } from '../model/check.ts';
import type { Site } from '../model/site.ts';
import { memory } from './memory.ts';

/** @see `engines` in package.json */
const OLDEST_NODE = [24, 15] as const;

/** Resource limits of the machine, and versions of the software. */
export const system: Subject = {
  name: 'system',
  checks: [
    { name: 'version', run: versions },
    { name: 'open files', run: openFiles, isCheap: true },
    { name: 'memory', run: memory, isCheap: true },
  ],
};

async function versions(): Promise<Finding> {
  const found = `lockkeeper ${version}, Node.js ${process.versions.node}, SQLite ${process.versions.sqlite}`;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  return isOld ? failure(found, `use Node.js ${OLDEST_NODE.join('.')} or later`) : success(found);
}

/** Files other than connections: databases, logs, pipes, and files that are stored or sent. */
const OTHERS = 500;
const NEARLY_ALL = 0.8;

/** Checks the limit of open files for a process of this user; each connection is one. */
async function openFiles({ config: { listeners, limits } }: Site): Promise<Finding> {
  const text = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const [, soft = '', hard = ''] = /^Max open files +(\S+) +(\S+)/m.exec(text) ?? [];
  if (soft === '') return skipped('this system does not show the limit');
  // Node.js raises its own limit to the maximum.
  const limit = Math.max(...[soft, hard].map((one) => (one === 'unlimited' ? Number.POSITIVE_INFINITY : Number(one))));
  const open = (await readdir('/proc/self/fd').catch(() => [])).length;
  const needed = listeners.length * limits.connections + OTHERS;
  const found = `${open} open of ${limit}`;
  const advice = `raise the limit (LimitNOFILE= of the unit, ulimit -n) to ${needed}, or lower limits.connections`;
  if (open > limit * NEARLY_ALL) return warning(found, advice);
  return limit < needed ? warning(`${found}; connections may need ${needed}`, advice) : success(found);
}
