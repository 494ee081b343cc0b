import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { Logger } from 'pino';
import { type Application, startApplication } from '../../composition/index.ts';
import { type Config, hostsAndBlocks, splitAddress, splitList } from '../../config/index.ts';
import { linkPath, SignInLink } from '../../console/index.ts';
import { systemClock } from '../../lib/clock.ts';
import { DEFAULT_BOUNDS } from '../../lib/job/bounds.ts';
import { createKeyring, openKeyring } from '../../storage/index.ts';
import { type EmbeddedAgent, startEmbeddedAgent } from '../process/embedded-agent.ts';
import { openLog } from '../process/log.ts';
import { settleMemory } from '../process/memory.ts';
import { refuseMounted } from '../process/refuse-mounted.ts';
import { terminationSignal } from '../process/signals.ts';
import { ensureDemoData } from './demo-data.ts';
import { type DemoEngine, findDemoEngine } from './demo-engine.ts';
import { DemoGit, openDemoGit } from './demo-git.ts';
import { type Listen, publicUrl, withPort } from './dev-address.ts';
import type { DevCertificates } from './dev-certificates.ts';
import { dataFolder, openDevFolder } from './dev-folder.ts';
import { jsonLine, welcome } from './dev-output.ts';

interface DevOptions {
  readonly listen: string;
  readonly data: string;
  readonly fresh: boolean;
  readonly format: 'text' | 'json';
  readonly allowRevocationAddress: readonly string[];
}

const ALLOWED_ADDRESSES = 'LOCKKEEPER_REVOCATION_ALLOWED_ADDRESSES';

/** Addresses of Git servers on this machine: that of the demo, and those of the user. */
const OWN_ADDRESSES = ['localhost', '127.0.0.0/8', '::1'];

/** Command `lockkeeper dev`: a demo server with its own certificates and sample data. */
export function addDev(program: Command): void {
  program
    .command('dev')
    .description('Run a demo server with embedded storage, its own certificates and sample data')
    .option('--listen <host:port>', 'address to listen on; port 0 picks a free port', '127.0.0.1:8200')
    .option('--data <dir>', 'folder for all data', '.lockkeeper')
    .option('--fresh', 'delete the data in the folder and start again', false)
    .addOption(
      new Option(
        '--allow-revocation-address <address>',
        `host, IP address or CIDR block that OCSP and CRL requests may use although it is denied by default; repeatable (default: ${ALLOWED_ADDRESSES}, comma-separated)`,
      )
        .default([])
        .argParser((text: string, before: readonly string[]) => [...before, ...splitList(text)]),
    )
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'))
    .action(dev);
}

async function dev(options: DevOptions): Promise<void> {
  const stopping = terminationSignal();
  const listen = await withPort(splitAddress(options.listen, '--listen'));
  const allowedAddresses = allowedOf(options);
  const directory = resolve(options.data);
  const lock = openDevFolder(directory, options.fresh);
  // Only the demo creates certificates, so that the code for it is in a file of its own.
  const { ensureDevCertificates } = await import('./dev-certificates.ts');
  const certificates = ensureDevCertificates(join(directory, 'certificates'), listen.host);
  const engine = await findDemoEngine();
  const repository = await openDemoGit(directory);
  const git = repository instanceof DemoGit ? repository : undefined;
  const config = {
    ...devConfig(directory, listen, certificates),
    ...executing(directory, listen, engine),
    allowedAddresses,
  };
  if (engine?.isolation === 'bubblewrap') refuseMounted([directory]);
  const keyring = await (existsSync(config.keyring.file) ? openKeyring : createKeyring)(config.keyring);
  const logFile = join(directory, 'lockkeeper.log');
  const log = openLog('info', logFile);
  const link = new SignInLink(systemClock);
  const application = await startApplication({ config, logger: log.logger, keyring, signInLink: link });
  let agent: EmbeddedAgent | undefined;
  try {
    const demo = await ensureDemoData(application, directory, certificates, { engine: engine?.kind, git });
    agent = startAgent(application, config, log.logger);
    settleMemory();
    const address = publicUrl(listen);
    const signIn = `${address}/app${linkPath(link.issue([demo.userToken, demo.rootToken]))}`;
    const start = { address, signIn, pid: process.pid, certificates, demo, engine, repository };
    process.stdout.write(options.format === 'json' ? jsonLine(start) : welcome(start, directory, logFile));
    await stopping;
  } finally {
    await agent?.stop();
    await application.stop();
    await git?.stop();
    lock.release();
    log.flush();
  }
}

/** @throws ConfigError */
function allowedOf({ allowRevocationAddress: flags }: DevOptions): string[] {
  if (flags.length > 0) return hostsAndBlocks('--allow-revocation-address', flags);
  return hostsAndBlocks(ALLOWED_ADDRESSES, splitList(process.env[ALLOWED_ADDRESSES] ?? ''));
}

/** The demo executes runs if an engine is found. */
function executing(
  directory: string,
  listen: Listen,
  engine: DemoEngine | undefined,
): Pick<Config, 'workspaces' | 'embeddedAgent'> {
  const times = { recoverableFor: 7 * 86_400, planTimeout: 2 * 3600, applyTimeout: 86_400 };
  const workspaces = {
    ...{ engineVersions: [], ...times, execution: engine ? ('embedded' as const) : ('none' as const) },
    // Runs have an identity that clients on this machine can verify.
    address: publicUrl(listen),
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

function devConfig(directory: string, listen: Listen, files: DevCertificates): Config {
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
    vcs: { allowedAddresses: OWN_ADDRESSES },
  };
}
