import { startApplication } from '../../composition/index.ts';
import type { Config } from '../../config/index.ts';
import { lockForServer } from '../../storage/index.ts';
import { startEmbeddedAgent } from '../process/embedded-agent.ts';
import { openLog } from '../process/log.ts';
import { settleMemory } from '../process/memory.ts';
import { ServiceManager } from '../process/service-manager.ts';
import { hangUpHandler, sleepUntilSignal, terminationSignal } from '../process/signals.ts';

/** Runs the server in one process. */
export async function serveAlone(config: Config): Promise<void> {
  const { logger, flush } = openLog(config.logLevel);
  const manager = ServiceManager.ofThisProcess(logger);
  const stopping = terminationSignal();
  const onHangUp = hangUpHandler();
  const { storage } = config;
  const lock = storage.type === 'sqlite' ? lockForServer(storage.directory) : undefined;
  const application = await startApplication({ config, logger });
  settleMemory();
  logger.info({ addresses: application.addresses }, 'ready');
  manager?.ready();
  onHangUp(() => application.reload());
  const { ownAgents } = application.workspaces.execution;
  const agent = startEmbeddedAgent(config, application.addresses, { issue: async () => ownAgents.issue(), logger });
  const signal = await stopping;
  const { lameDuckSeconds } = config.limits;
  logger.info({ signal, lame_duck: lameDuckSeconds }, 'stopping: reports not ready and still serves requests');
  manager?.stopping();
  // The agent stops first, while this server still accepts the results and states of its jobs.
  const agentEnded = agent?.stop();
  application.drain();
  await sleepUntilSignal(lameDuckSeconds * 1000);
  await agentEnded;
  logger.info('stopping: waiting for requests in flight');
  await application.stop();
  lock?.release();
  await manager?.ended();
  logger.info('stopped');
  flush();
}
