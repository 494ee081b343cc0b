import { type Finding, type NamedFinding, skipped, success, warning } from '../../lib/finding/finding.ts';
import type { Subject } from '../model/check.ts';
import type { Site } from '../model/site.ts';

/** Background tasks of the running server. Their names are constants of the program, so anyone may see them. */
export const background: Subject = {
  name: 'background',
  checks: [{ name: 'tasks', run: tasks, isCheap: true, hasPublicNames: true }],
};

async function tasks(site: Site): Promise<Finding | NamedFinding[]> {
  const facts = await site.tasks();
  if (facts === undefined) return skipped('no server answers with its tasks');
  return facts.map(({ name, found, isBad }) => ({
    name,
    ...(isBad ? warning(found, adviceFor(name)) : success(found)),
  }));
}

const adviceFor = (name: string): string =>
  `look for log entries with "task":"${name}" on all nodes, and follow the runbook LockkeeperBackgroundTask. If there ` +
  'are none, the run hangs: restart the process that is the leader, or this one';
