import { type Finding, failure, success } from '../../lib/finding/finding.ts';
import { version } from '../../version.ts';
import type { Subject } from '../model/check.ts';
import { memory } from './memory.ts';
import { openFiles } from './open-files.ts';

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
