import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { startApplication } from '../../composition/index.ts';
import { lockForServer } from '../../storage/index.ts';
import { CommandError } from '../errors/command-error.ts';
import { type ConfigOptions, readConfigFile, withConfig } from '../process/config-file.ts';
import { openLog } from '../process/log.ts';
import { terminationSignal, unlessSignal } from '../process/signals.ts';

/** `lockkeeper serve`: the real server. It runs until it is told to stop, and lets requests in flight finish. */
export function addServe(program: Command): void {
  withConfig(program.command('serve')).description('run the server').action(serve);
}

async function serve(options: ConfigOptions): Promise<void> {
  const config = readConfigFile(options);
  if (!existsSync(config.keyringFile)) {
    throw new CommandError(
      `${config.keyringFile} does not exist; run \`lockkeeper init --config ${options.config}\` first`,
    );
  }
  const { logger, flush } = openLog(config.logLevel);
  const stopping = terminationSignal();
  const { storage } = config;
  const lock = storage.type === 'sqlite' ? lockForServer(storage.directory) : undefined;
  const application = await startApplication({ config, logger });
  logger.info({ addresses: application.addresses }, 'ready');
  process.on('SIGHUP', () => {
    application.audit.reopen();
    application.keyring.reload().catch((err: unknown) => logger.error({ err }, 'keyring'));
  });
  const signal = await stopping;
  const { lameDuckSeconds } = config.limits;
  logger.info({ signal, lame_duck: lameDuckSeconds }, 'stopping: not ready any more, and still serving');
  application.drain();
  await unlessSignal(lameDuckSeconds * 1000);
  logger.info('stopping: requests in flight finish');
  await application.stop();
  lock?.release();
  logger.info('stopped');
  flush();
}
