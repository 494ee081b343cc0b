import { type Finding, skipped, success, warning } from '../../lib/finding/finding.ts';
import type { Subject } from '../model/check.ts';
import type { Site, WorkFacts } from '../model/site.ts';

/** Waiting time after which the operator should find out why no agent takes a run, milliseconds. */
const LONG_WAIT = 5 * 60_000;

/** The agents and the runs that wait for them. */
export const agents: Subject = { name: 'agents', checks: [{ name: 'queue', run: queue, isCheap: true }] };

async function queue(site: Site): Promise<Finding> {
  return queueFinding(await site.work(), site.config.workspaces?.execution ?? 'none', site.clock());
}

export function queueFinding(
  { agents: there, idle, waiting, oldest = 0, unattended }: WorkFacts,
  execution: 'none' | 'embedded' | 'agents',
  now: number,
): Finding {
  if (execution === 'none' && there === 0 && waiting === 0) return skipped('this server has no agents');
  const found = `${there} ${there === 1 ? 'agent' : 'agents'}, ${idle} idle, ${waiting} ${waiting === 1 ? 'run waits' : 'runs wait'}`;
  if (unattended > 0) {
    return warning(
      `${found}, ${unattended} of them without an agent`,
      'start agents for their pools: the console shows for each of these runs which pool it waits for',
    );
  }
  const minutes = Math.floor((now - oldest) / 60_000);
  if (waiting > 0 && now - oldest > LONG_WAIT) {
    const advice = idle > 0 ? 'check the logs of the idle agents: they may belong to other pools' : 'start more agents';
    return warning(`${found}, the first for ${minutes} min`, advice);
  }
  return success(found);
}
