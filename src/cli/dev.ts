import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { startApplication } from '../compose.ts';
import { type Config, splitAddress } from '../config/index.ts';
import { createKeyring, openKeyring } from '../storage/index.ts';
import { type DevCertificates, ensureDevCertificates } from './dev-certificates.ts';
import { ensureDemoData } from './dev-data.ts';
import { dataFolder, openDevFolder } from './dev-folder.ts';
import { jsonLine, welcome } from './dev-output.ts';
import { openLog } from './log.ts';
import { terminationSignal } from './signals.ts';

interface DevOptions {
  readonly listen: string;
  readonly data: string;
  readonly fresh: boolean;
  readonly format: 'text' | 'json';
}

/** `lockkeeper dev`: everything on one machine, with certificates and sample data, to look at and to try. */
export function addDev(program: Command): void {
  program
    .command('dev')
    .description('run a demo: embedded storage, its own certificates, sample data')
    .option('--listen <host:port>', 'where to listen; port 0 picks a free one', '127.0.0.1:8200')
    .option('--data <dir>', 'the folder that keeps everything', '.lockkeeper')
    .option('--fresh', 'throw away what the folder holds, and begin anew', false)
    .addOption(new Option('--format <format>', 'what to print').choices(['text', 'json']).default('text'))
    .action(dev);
}

async function dev(options: DevOptions): Promise<void> {
  const stopping = terminationSignal();
  const listen = splitAddress(options.listen, '--listen');
  const directory = resolve(options.data);
  const lock = openDevFolder(directory, options.fresh);
  const certificates = ensureDevCertificates(join(directory, 'certificates'), listen.host);
  const config = devConfig(directory, listen, certificates);
  const keyring = await (existsSync(config.keyringFile) ? openKeyring : createKeyring)(config.keyringFile);
  const logFile = join(directory, 'lockkeeper.log');
  const log = openLog('info', logFile);
  const application = await startApplication({ config, logger: log.logger, keyring });
  try {
    const demo = await ensureDemoData(application, directory, certificates);
    const start = { address: application.addresses[0] ?? '', pid: process.pid, certificates, demo };
    process.stdout.write(options.format === 'json' ? jsonLine(start) : welcome(start, directory, logFile));
    await stopping;
  } finally {
    await application.stop();
    lock.release();
    log.flush();
  }
}

function devConfig(directory: string, listen: { host: string; port: number }, files: DevCertificates): Config {
  return {
    listeners: [
      {
        ...listen,
        services: ['access', 'workspaces', 'metrics'],
        tls: {
          certificateFile: files.serverCertificateFile,
          privateKeyFile: files.serverKeyFile,
          minVersion: 'TLSv1.2',
        },
        requestClientCertificate: true,
      },
    ],
    storage: { type: 'sqlite', directory: dataFolder(directory) },
    keyringFile: join(directory, 'keyring.json'),
    access: { defaultTokenTtl: 768 * 3600, maxTokenTtl: 768 * 3600, allowSha1: false },
    limits: { bodyBytes: 1_048_576, connections: 10_000, lameDuckSeconds: 0, shutdownGraceSeconds: 30 },
    logLevel: 'info',
    auditFile: join(directory, 'audit.log'),
  };
}
