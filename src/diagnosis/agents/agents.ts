import { type Finding, skipped, success, warning } from '../../lib/finding/finding.ts';
import type { Subject } from '../model/check.ts';
import type { Site, WorkFacts } from '../model/site.ts';

/** Beyond it somebody should see why nobody takes it, milliseconds. */
const LONG_WAIT = 5 * 60_000;

/** Who carries out runs, and what waits for them. */
export const agents: Subject = { name: 'agents', checks: [{ name: 'queue', run: queue, isCheap: true }] };

async function queue(site: Site): Promise<Finding> {
  return queueFinding(await site.work(), site.config.workspaces?.execution ?? 'none', site.clock());
}

export function queueFinding(
  { agents: there, idle, waiting, oldest = 0, unattended }: WorkFacts,
  execution: 'none' | 'embedded' | 'agents',
  now: number,
): Finding {
  if (execution === 'none' && there === 0 && waiting === 0) return skipped('nobody carries out runs here');
  const found = `${there} ${there === 1 ? 'agent' : 'agents'}, ${idle} idle, ${waiting} ${waiting === 1 ? 'run waits' : 'runs wait'}`;
  if (unattended > 0) {
    return warning(
      `${found}, ${unattended} of them for nobody`,
      'start agents for their pools: each of these runs says in the console for whom it waits',
    );
  }
  const minutes = Math.floor((now - oldest) / 60_000);
  if (waiting > 0 && now - oldest > LONG_WAIT) {
    const advice = idle > 0 ? 'see the logs of the idle agents: they may be those of other pools' : 'start more agents';
    return warning(`${found}, the first for ${minutes} min`, advice);
  }
  return success(found);
}
