import { startApplication } from '../../composition/index.ts';
import type { Config } from '../../config/index.ts';
import type { Worker } from '../../workers/index.ts';
import { openLog } from '../process/log.ts';
import { settleMemory } from '../process/memory.ts';

/** Runs one worker process. Its output goes to the supervisor. */
export async function serveAsWorker(worker: Worker): Promise<void> {
  try {
    const config = (await worker.begun.catch(() => undefined)) as Config | undefined;
    if (config) await serve(worker, config);
  } finally {
    worker.leave();
  }
}

async function serve(worker: Worker, config: Config): Promise<void> {
  const { logger, flush } = openLog(config.logLevel);
  const peers = {
    incoming: (listener: number) => worker.incoming(listener),
    request: worker.request.bind(worker),
  };
  const application = await startApplication({ config, logger: logger.child({ worker: worker.number }), peers });
  settleMemory();
  const { ownAgents } = application.workspaces.execution;
  const { metricsSnapshot: metrics, metricsHistory: history, health, tasks } = application;
  worker.ready(application, { metrics, history, health, tasks, agentToken: () => ownAgents.issue() });
  await worker.stopped;
  await application.stop();
  await worker.reportFinalMetrics(await application.metricsSnapshot(), application.metricsHistory());
  flush();
}
