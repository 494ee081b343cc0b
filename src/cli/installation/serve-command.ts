import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { Worker } from '../../workers/index.ts';
import { CommandError } from '../errors/command-error.ts';
import { type ConfigOptions, readConfigFile, withConfig } from '../process/config-file.ts';

/** Command `lockkeeper serve`: runs the server until a signal, and finishes requests in flight. */
export function addServe(program: Command): void {
  withConfig(program.command('serve')).description('Run the server').action(serve);
}

/** Modes: one process, supervisor of several workers, or worker. Each loads only its modules. */
async function serve(options: ConfigOptions): Promise<void> {
  const worker = Worker.ofThisProcess();
  if (worker) {
    const { serveAsWorker } = await import('./serve-worker.ts');
    await serveAsWorker(worker);
    return;
  }
  const config = readConfigFile(options);
  if (!existsSync(config.keyring.file)) {
    throw new CommandError(
      `${config.keyring.file} does not exist; run \`lockkeeper init --config ${options.config}\` first`,
    );
  }
  if (config.embeddedAgent) {
    const { checkEmbedded } = await import('../process/embedded-checks.ts');
    checkEmbedded(config, options);
  }
  if ((config.workers ?? 1) > 1) {
    const { superviseWorkers } = await import('./serve-supervisor.ts');
    await superviseWorkers(config, () => readConfigFile(options));
  } else {
    const { serveAlone } = await import('./serve-alone.ts');
    await serveAlone(config);
  }
}
