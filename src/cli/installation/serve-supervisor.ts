import { type Logger, pino } from 'pino';
import { type Config, ConfigError, listenerUrl, refuseAddress } from '../../config/index.ts';
import { ConnectionDispatcher, Output, type Settings, Supervisor, WorkerFailed } from '../../workers/index.ts';
import { CommandError, silentFailure } from '../errors/command-error.ts';
import { startEmbeddedAgent, trustsThisMachine } from '../process/embedded-agent.ts';
import { settleMemory } from '../process/memory.ts';
import { ServiceManager } from '../process/service-manager.ts';
import { hangUpHandler, sleepUntilSignal, terminationSignal } from '../process/signals.ts';

/**
 * Supervises several worker processes. It accepts connections for them and handles no requests itself.
 * @param read reloads the configuration
 */
export async function superviseWorkers(config: Config, read: () => Config): Promise<void> {
  const { listeners, limits, workers = 1 } = config;
  const output = new Output();
  const logger = pino({ level: config.logLevel }, { write: (line: string) => output.write(line) });
  const manager = ServiceManager.ofThisProcess(logger);
  const stopping = terminationSignal();
  const onHangUp = hangUpHandler();
  const dispatcher = new ConnectionDispatcher(listeners, (err) =>
    logger.error({ err }, 'failed to accept a connection'),
  );
  const supervisor = new Supervisor({
    ...{ count: workers, settings: settingsOf(config), dispatcher, output },
    note: (level, event, message) => logger[level](event, message),
  });
  const addresses = await supervisor.start().catch(explain);
  const urls = addresses.map((address, index) => listenerUrl(listeners[index], address));
  settleMemory();
  logger.info({ addresses: urls }, 'ready');
  manager?.ready();
  const agent = startEmbeddedAgent(config, urls, { issue: () => agentToken(supervisor), logger });
  let current = config;
  onHangUp(() => {
    current = readAnew(current, read, logger);
    void supervisor.reload(settingsOf(current));
  });
  const signal = await stopping;
  logger.info({ signal, lame_duck: limits.lameDuckSeconds }, 'stopping: reports not ready and still serves requests');
  manager?.stopping();
  const agentEnded = agent?.stop();
  supervisor.drain();
  await sleepUntilSignal(limits.lameDuckSeconds * 1000);
  await agentEnded;
  logger.info('stopping: waiting for requests in flight');
  void terminationSignal().then((next) => {
    supervisor.kill();
    process.kill(process.pid, next);
  });
  await supervisor.stop();
  await manager?.ended();
  logger.info('stopped');
  await output.flush();
}

async function agentToken(supervisor: Supervisor): Promise<string | undefined> {
  const answer = await supervisor.askAny('agentToken');
  return typeof answer === 'string' ? answer : undefined;
}

function settingsOf(config: Config): Settings {
  const { lameDuckSeconds, shutdownGraceSeconds, workerMemory } = config.limits;
  return {
    config,
    lameDuckMs: lameDuckSeconds * 1000,
    graceMs: shutdownGraceSeconds * 1000,
    memory: workerMemory ?? Number.POSITIVE_INFINITY,
  };
}

/** Returns the reloaded configuration, or the previous one if it is invalid or needs a restart. */
function readAnew(before: Config, read: () => Config, logger: Logger): Config {
  try {
    const config = read();
    const was = fixed(before);
    const changed = Object.entries(fixed(config)).find(([part, value]) => was[part] !== value)?.[0];
    if (changed === undefined) return config;
    throw new ConfigError(`${changed}: changed; restart the server`);
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof CommandError)) throw error;
    logger.error(
      { reason: error.message },
      'the configuration could not be reloaded; the previous one stays in effect',
    );
    return before;
  }
}

/**
 * Returns the settings that need a restart, by name. Trusted proxies on this machine are among them: they decide
 * whether runs of the embedded agent may reach the server.
 */
const fixed = ({ listeners, workers, embeddedAgent }: Config): Record<string, string> => ({
  'addresses of listeners': listeners.map(({ host, port }) => `${host} ${port}`).join(),
  workers: String(workers),
  'whether trusted_proxies cover this machine': String(embeddedAgent !== undefined && trustsThisMachine(listeners)),
});

/** Prints no error that a worker has already printed. */
function explain(error: unknown): never {
  if (error instanceof WorkerFailed) throw silentFailure(error.code);
  return refuseAddress(error as Error);
}
