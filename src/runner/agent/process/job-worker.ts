/**
 * The process of one job. An agent starts it (`JobProcess`) and sends it the job over IPC, because arguments and
 * environment are visible to other processes. All output of an engine is read here, within a bounded heap: if the heap
 * runs out, only this job fails.
 */

import { knownEngines, rememberEngines } from '../../engine/answers.ts';
import type { StepWatcher } from '../../engine/steps.ts';
import { isolationOf } from '../../isolation/again.ts';
import { signalGroup } from '../../isolation/process-group.ts';
import { JobFailure } from '../../ports.ts';
import type { AgentLog } from '../agent-log.ts';
import type { Server } from '../http/server.ts';
import { executeJob } from '../job/execute-job.ts';
import type { HandedJob } from '../job/job-document.ts';
import { openWorkshop } from '../job/workshop.ts';
import { type JobPlace, type Order, type Report, SIGN_OF_LIFE_MS } from './messages.ts';

const stops = { interrupt: new AbortController(), kill: new AbortController() };
const running = new Set<number>();
let server: Server | undefined;

const log: AgentLog = {
  info: (text, facts) => report({ is: 'log', level: 'info', text, ...(facts && { facts }) }),
  warn: (text, facts) => report({ is: 'log', level: 'warn', text, ...(facts && { facts }) }),
};

const watcher: StepWatcher = {
  began(step, { pid }) {
    if (pid !== undefined) running.add(pid);
    report({ is: 'step begun', step, pid });
  },
  ended(step, { pid }) {
    if (pid !== undefined) running.delete(pid);
    report({ is: 'step ended', step });
  },
};

// The agent handles these signals and sends this process an order, so the process ignores them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('message', obey);
process.on('disconnect', endWithAgent);
setInterval(() => report({ is: 'alive' }), SIGN_OF_LIFE_MS);

function obey(order: Order): void {
  if (order.do === 'execute') void execute(order.handed, order.place);
  else if (order.do === 'trust') server?.trust(order.trust);
  else stops[order.how].abort(order.reason === null ? undefined : new JobFailure(order.reason));
}

async function execute(handed: HandedJob, place: JobPlace): Promise<void> {
  rememberEngines(place.knownEngines);
  const workshop = openWorkshop({ ...place, isolation: isolationOf(place.isolation), log }, watcher);
  server = workshop.server;
  const stop = { interrupt: stops.interrupt.signal, kill: stops.kill.signal };
  const executedJob = await executeJob(handed, workshop, stop);
  process.off('disconnect', endWithAgent);
  process.send?.({ is: 'ended', executedJob, knownEngines: knownEngines() } satisfies Report, () => process.exit(0));
}

/** Ends without a report. The next agent that uses the folder keeps the state and unregisters this agent. */
function endWithAgent(): void {
  for (const pid of running) signalGroup(pid, 'SIGKILL');
  process.exit(1);
}

function report(told: Report): void {
  process.send?.(told, () => {});
}
