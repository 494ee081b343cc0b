import type { AgentConfig } from '../../config/index.ts';
import { createForwardingFetch } from '../../outbound/forwarding-fetch.ts';
import {
  Agent,
  type AgentLog,
  type AgentOptions,
  type Credential,
  type Facts,
  inKubernetes,
  JobFailure,
} from '../../runner/index.ts';
import { readSource } from '../connection/pem-source.ts';
import { CommandError, usageError } from '../errors/command-error.ts';
import { refuseMounted } from '../process/refuse-mounted.ts';
import { terminationSignal } from '../process/signals.ts';
import type { AgentCommandOptions } from './agent-options.ts';
import { folderOf, placeOf, waitForEnd } from './agent-place.ts';
import { readSettings } from './agent-settings.ts';
import { runEmbedded } from './embedded.ts';
import { runOneJob } from './one-job.ts';

/** Runs an agent until it stops. @throws CommandError */
export async function runAgent(options: AgentCommandOptions): Promise<void> {
  const log = stderrLog();
  if (options.embedded) return await runEmbedded(process.stdin, log);
  const config = readSettings(options);
  const trust = config.caFile === null ? null : { ca: readSource(config.caFile, 'the CA certificate of the server') };
  if (options.job !== undefined) return await runOneJob(options.job, options.jobTokenFile, config, trust, log);
  // Unreadable files are reported before the sandbox is tested.
  const credential = credentialOf(config);
  if (config.isolation === 'bubblewrap' && config.kubernetes === null) refuseMounted(secretsOf(config));
  const place = await placeOf(config, trust, log);
  const executor = await executorOf(config, trust?.ca ?? null);
  const { name, slots, forwardHosts } = config;
  const forwarding = forwardHosts.length > 0 && { forwarding: createForwardingFetch(forwardHosts) };
  const agent = new Agent({ ...place, ...executor, ...forwarding, credential, name, slots });
  void stopBySignals(agent, config.stopTimeout, log);
  await waitForEnd(agent);
}

/** Returns undefined if this process needs no credential. @throws CommandError */
async function executorOf(
  { kubernetes, name, bounds }: AgentConfig,
  ca: string | null,
): Promise<Pick<AgentOptions, 'executor'>> {
  if (kubernetes === null) return {};
  try {
    return { executor: await inKubernetes({ ...kubernetes, bounds }, { name, ca }) };
  } catch (error) {
    throw error instanceof JobFailure ? new CommandError(error.message) : error;
  }
}

/** Returns the paths that runs must not read: the agent's folder, key and token. */
const secretsOf = ({ credential, folder }: AgentConfig): string[] => {
  const secrets = [folderOf({ folder })];
  if (credential === null) return secrets;
  return [...secrets, 'tokenFile' in credential ? credential.tokenFile : credential.key];
};

/** Reads the files of a credential once, to report errors at start. */
function credentialOf({ credential }: AgentConfig): Credential {
  if (credential === null) throw usageError('the agent has neither a certificate nor a token; set cert or token_file');
  if ('tokenFile' in credential) readSource(credential.tokenFile, 'the pool token');
  else {
    readSource(credential.cert, 'the certificate');
    readSource(credential.key, 'the private key');
  }
  return credential;
}

/** The first signal stops new jobs, the second interrupts running jobs, the third kills them. */
async function stopBySignals(agent: Agent, timeout: number | null, log: AgentLog): Promise<void> {
  await terminationSignal();
  log.info('stopping: running jobs finish, no new job starts; a second signal interrupts them');
  agent.drain();
  if (timeout !== null) setTimeout(() => agent.interrupt(), timeout * 1000).unref();
  await terminationSignal();
  log.info('stopping: jobs are interrupted; a third signal kills them');
  agent.interrupt();
  await terminationSignal();
  agent.kill();
}

/** Log of an agent: plain lines on a terminal, JSON lines otherwise. */
function stderrLog(): AgentLog {
  // The reader of the pipe may have exited. The agent continues.
  process.stderr.on('error', () => {});
  const line = process.stderr.isTTY ? forPeople : asJson;
  const write = (level: string, text: string, facts: Facts): void => {
    process.stderr.write(`${line(level, text, facts)}\n`);
  };
  return {
    info: (text, facts = {}) => write('info', text, facts),
    warn: (text, facts = {}) => write('warn', text, facts),
  };
}

const asJson = (level: string, msg: string, facts: Facts): string =>
  JSON.stringify({ level, time: new Date().toISOString(), msg, ...facts });

function forPeople(level: string, text: string, facts: Facts): string {
  const beside = Object.entries(facts).map(([name, value]) => ` ${name}=${value}`);
  return `${new Date().toISOString()} ${level === 'warn' ? 'WARNING ' : ''}${text}${beside.join('')}`;
}
