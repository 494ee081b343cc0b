import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { startApplication } from '../../composition/index.ts';
import { type Config, hostsAndBlocks, splitAddress, splitList } from '../../config/index.ts';
import { createKeyring, openKeyring } from '../../storage/index.ts';
import { openLog } from '../process/log.ts';
import { settleMemory } from '../process/memory.ts';
import { terminationSignal } from '../process/signals.ts';
import { ensureDemoData } from './demo-data.ts';
import { type DevCertificates, ensureDevCertificates } from './dev-certificates.ts';
import { dataFolder, openDevFolder } from './dev-folder.ts';
import { jsonLine, welcome } from './dev-output.ts';

interface DevOptions {
  readonly listen: string;
  readonly data: string;
  readonly fresh: boolean;
  readonly format: 'text' | 'json';
  readonly allowRevocationAddress: readonly string[];
}

/** The same as of `serve`. */
const ALLOWED_ADDRESSES = 'LOCKKEEPER_REVOCATION_ALLOWED_ADDRESSES';

/** `lockkeeper dev`: everything on one machine, with certificates and sample data, to look at and to try. */
export function addDev(program: Command): void {
  program
    .command('dev')
    .description('run a demo: embedded storage, its own certificates, sample data')
    .option('--listen <host:port>', 'where to listen; port 0 picks a free one', '127.0.0.1:8200')
    .option('--data <dir>', 'the folder that keeps everything', '.lockkeeper')
    .option('--fresh', 'throw away what the folder holds, and begin anew', false)
    .addOption(
      new Option(
        '--allow-revocation-address <address>',
        `a host, IP address or CIDR block where OCSP responders and CRLs may be although it is denied; may be given more than once. Else those in ${ALLOWED_ADDRESSES}, with commas in between`,
      )
        .default([])
        .argParser((text: string, before: readonly string[]) => [...before, ...splitList(text)]),
    )
    .addOption(new Option('--format <format>', 'what to print').choices(['text', 'json']).default('text'))
    .action(dev);
}

async function dev(options: DevOptions): Promise<void> {
  const stopping = terminationSignal();
  const listen = splitAddress(options.listen, '--listen');
  const allowedAddresses = allowedOf(options);
  const directory = resolve(options.data);
  const lock = openDevFolder(directory, options.fresh);
  const certificates = ensureDevCertificates(join(directory, 'certificates'), listen.host);
  const config = { ...devConfig(directory, listen, certificates), allowedAddresses };
  const keyring = await (existsSync(config.keyringFile) ? openKeyring : createKeyring)(config.keyringFile);
  const logFile = join(directory, 'lockkeeper.log');
  const log = openLog('info', logFile);
  const application = await startApplication({ config, logger: log.logger, keyring });
  try {
    const demo = await ensureDemoData(application, directory, certificates);
    settleMemory();
    const start = { address: application.addresses[0] ?? '', pid: process.pid, certificates, demo };
    process.stdout.write(options.format === 'json' ? jsonLine(start) : welcome(start, directory, logFile));
    await stopping;
  } finally {
    await application.stop();
    lock.release();
    log.flush();
  }
}

/** @throws ConfigError */
function allowedOf({ allowRevocationAddress: flags }: DevOptions): string[] {
  if (flags.length > 0) return hostsAndBlocks('--allow-revocation-address', flags);
  return hostsAndBlocks(ALLOWED_ADDRESSES, splitList(process.env[ALLOWED_ADDRESSES] ?? ''));
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
