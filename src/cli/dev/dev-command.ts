import { existsSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { Logger } from 'pino';
import { type Application, startApplication } from '../../composition/index.ts';
import { type Config, hostsAndBlocks, splitAddress, splitList } from '../../config/index.ts';
import { DEFAULT_BOUNDS } from '../../lib/job/bounds.ts';
import { createKeyring, openKeyring } from '../../storage/index.ts';
import { type EmbeddedAgent, startEmbeddedAgent } from '../process/embedded-agent.ts';
import { openLog } from '../process/log.ts';
import { settleMemory } from '../process/memory.ts';
import { refuseMounted } from '../process/refuse-mounted.ts';
import { terminationSignal } from '../process/signals.ts';
import { ensureDemoData } from './demo-data.ts';
import { type DemoEngine, findDemoEngine } from './demo-engine.ts';
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
  const engine = await findDemoEngine();
  const config = {
    ...devConfig(directory, listen, certificates),
    ...executing(directory, listen, engine),
    allowedAddresses,
  };
  if (engine?.isolation === 'bubblewrap') refuseMounted([directory]);
  const keyring = await (existsSync(config.keyring.file) ? openKeyring : createKeyring)(config.keyring);
  const logFile = join(directory, 'lockkeeper.log');
  const log = openLog('info', logFile);
  const application = await startApplication({ config, logger: log.logger, keyring });
  let agent: EmbeddedAgent | undefined;
  try {
    const demo = await ensureDemoData(application, directory, certificates, engine?.kind);
    agent = startAgent(application, config, log.logger);
    settleMemory();
    const start = { address: application.addresses[0] ?? '', pid: process.pid, certificates, demo, engine };
    process.stdout.write(options.format === 'json' ? jsonLine(start) : welcome(start, directory, logFile));
    await stopping;
  } finally {
    await agent?.stop();
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

/** Runs are carried out where there is something to carry them out with. */
function executing(
  directory: string,
  { host, port }: { host: string; port: number },
  engine: DemoEngine | undefined,
): Pick<Config, 'workspaces' | 'embeddedAgent'> {
  const times = { recoverableFor: 7 * 86_400, planTimeout: 2 * 3600, applyTimeout: 86_400 };
  const workspaces = {
    ...{ engineVersions: [], ...times, execution: engine ? ('embedded' as const) : ('none' as const) },
    // Runs have an identity, as far as somebody on this machine asks for it.
    ...(port !== 0 && { address: `https://${isIPv6(host) ? `[${host}]` : host}:${port}` }),
  };
  if (!engine) return { workspaces };
  const { engine: program, isolation, network } = engine;
  return {
    workspaces,
    embeddedAgent: {
      slots: 2,
      ...{ isolation, network, deniedAddresses: [], bounds: DEFAULT_BOUNDS },
      directory: join(directory, 'agent'),
      ...{ engines: null, engine: program, engineDownloads: null },
      providers: undefined,
    },
  };
}

function startAgent({ addresses, workspaces }: Application, config: Config, logger: Logger): EmbeddedAgent | undefined {
  const { ownAgents } = workspaces.execution;
  return startEmbeddedAgent(config, addresses, { issue: async () => ownAgents.issue(), logger });
}

function devConfig(directory: string, listen: { host: string; port: number }, files: DevCertificates): Config {
  return {
    listeners: [
      {
        ...listen,
        services: ['access', 'workspaces', 'console', 'metrics'],
        tls: {
          certificateFile: files.serverCertificateFile,
          privateKeyFile: files.serverKeyFile,
          minVersion: 'TLSv1.2',
        },
        requestClientCertificate: true,
      },
    ],
    storage: { type: 'sqlite', directory: dataFolder(directory) },
    keyring: { file: join(directory, 'keyring.json') },
    access: { defaultTokenTtl: 768 * 3600, maxTokenTtl: 768 * 3600, allowSha1: false },
    limits: { bodyBytes: 1_048_576, connections: 10_000, lameDuckSeconds: 0, shutdownGraceSeconds: 30 },
    logLevel: 'info',
    auditFile: join(directory, 'audit.log'),
  };
}
