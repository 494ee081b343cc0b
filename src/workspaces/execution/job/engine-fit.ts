import type { Queries } from '../../../storage/index.ts';
import { hasEngineFor } from '../agent-pool/agent.ts';
import type { Agents, RegisteredAgent } from '../agent-pool/agents.ts';
import { engineFor } from '../lifecycle/engine.ts';
import * as runStore from '../run/store.ts';

/**
 * Returns whether an agent leaves a waiting run to another agent: it lacks the engine of the run, and another
 * connected agent of its pool has it. If none has it, the first agent claims the run and reports in its log that the
 * engine is missing.
 */
export async function isLeftToOthers(
  db: Queries,
  agents: Pick<Agents, 'enginesIn'>,
  agent: RegisteredAgent,
  runId: string,
  silentSince: number,
): Promise<boolean> {
  if (agent.anyEngine) return false;
  const run = await runStore.findRun(db, runId);
  if (run === undefined) return false;
  const wanted = engineFor(run, run.status === 'apply_queued' ? 'apply' : 'plan');
  if (hasEngineFor(agent, wanted)) return false;
  const others = await agents.enginesIn(db, agent.agentPoolId, silentSince);
  return others.some((other) => hasEngineFor(other, wanted));
}
