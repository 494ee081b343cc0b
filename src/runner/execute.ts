import { applyJob } from './apply-job.ts';
import { type EnginePlaces, engineName, findEngine } from './engine/engine.ts';
import type { Engine } from './engine/kinds.ts';
import { PLATFORM } from './engine/platform.ts';
import { Steps, type StepWatcher } from './engine/steps.ts';
import { Identity } from './identity/identity.ts';
import { environment } from './input/environment.ts';
import { type OwnServer, writeServerSettings } from './input/own-server.ts';
import { writeProviderSettings } from './input/providers.ts';
import { writeSshKey } from './input/ssh.ts';
import type { Isolation } from './isolation/isolation.ts';
import type { Job } from './job.ts';
import { JobDirectory } from './job-directory.ts';
import { JobLog } from './log/job-log.ts';
import { Masking } from './log/masking.ts';
import { secretForms } from './log/secret-forms.ts';
import { secretsOf, unmaskedKeys } from './log/secrets.ts';
import { planJob } from './plan-job.ts';
import { type Inputs, type JobEnd, JobFailure, type Outputs, StateKept } from './ports.ts';
import type { ProviderCache } from './providers/cache.ts';
import { JobProviders } from './providers/job-providers.ts';
import { type Stop, Stopping } from './stopping.ts';
import type { Timings } from './timings.ts';
import type { Work } from './work.ts';

const UNMASKED =
  'it is shorter than 4 characters, or a word that logs are made of. Use a longer secret, or do not mark the variable as sensitive.';

/** What is needed to carry out jobs. */
export interface Parts {
  readonly inputs: Inputs;
  readonly outputs: Outputs;
  readonly isolation: Isolation;
  readonly engines: EnginePlaces;
  /**
   * Providers that this agent has, laid out as `terraform providers mirror` does: what is in it is fetched from nowhere else. Null
   * for none.
   */
  readonly providers: string | null;
  /** Where providers that were fetched are kept for all jobs; null for nowhere. */
  readonly cache: ProviderCache | null;
  /** A folder for the files of jobs, of this agent alone. */
  readonly folder: string;
  /** Where the job comes from, which the engine may ask too; null for nowhere. */
  readonly server: OwnServer | null;
  /** What must not stand in a log, beside what the job has: tokens. */
  readonly secrets: readonly string[];
  /** Seconds that an engine has to end after it was interrupted. */
  readonly grace: number;
  /** Where the job is traced. */
  readonly timings?: Timings | undefined;
  /** Called when an engine starts and ends. */
  readonly watcher?: StepWatcher | undefined;
}

/**
 * Carries out a plan or an apply, from its inputs to its outputs.
 * @returns how it ended, which stands in its log too where the engine does not say it. Does not throw for anything that a job has,
 *   an engine does or an output refuses
 */
export async function execute(job: Job, parts: Parts, stop: Stop): Promise<JobEnd> {
  const secrets = secretForms([...secretsOf(job), ...parts.secrets]);
  const log = new JobLog((bytes) => parts.outputs.log(bytes), new Masking(secrets));
  const stopping = new Stopping(stop, job.timeout, parts.grace);
  let end: JobEnd;
  try {
    const executedJob = await withEngine(job, parts, log, stopping);
    end = isOutOfTime(executedJob, job, stopping) ?? executedJob;
  } catch (error) {
    end = stoppedOrFailed(job, stopping, error);
  } finally {
    stopping.end();
  }
  if (end.kind === 'failed') await log.say(`Error: ${end.reason}`);
  if (end.kind === 'canceled') await log.say(end.isForced ? 'The run was canceled by force.' : 'The run was canceled.');
  await log.end();
  return end;
}

async function withEngine(job: Job, parts: Parts, log: JobLog, stopping: Stopping): Promise<JobEnd> {
  const found = () => findEngine(job.engine, parts.engines, stopping.interrupted);
  const engine = await (parts.timings ? parts.timings.measure('engine', found) : found()).catch(async (error) => {
    await header(log, job.engine.kind, job.engine.version);
    throw error;
  });
  await header(log, engine.kind, engine.version);
  stopping.check();
  const directory = await JobDirectory.open(parts.folder, job.runId, job.workspace.name);
  const identity = new Identity(job.identity ?? undefined, log);
  try {
    const work = await prepare(job, parts, log, stopping, engine, directory, identity);
    const end = await (job.phase === 'plan' ? planJob(work) : applyJob(work));
    const { kind, version } = engine;
    return end.kind === 'finished' ? { ...end, engine: { kind, version } } : end;
  } finally {
    await identity.end();
    await directory.remove();
  }
}

/** Exactly three lines: command lines leave that many away. */
async function header(log: JobLog, kind: Engine['kind'], version: string | null): Promise<void> {
  await log.say(`${engineName(kind)}${version === null ? '' : ` v${version}`}`);
  await log.say(`on ${PLATFORM}`);
  await log.say('Initializing plugins and modules...');
}

async function prepare(
  job: Job,
  { inputs, outputs, isolation, providers, cache, server, timings, watcher }: Parts,
  log: JobLog,
  stopping: Stopping,
  engine: Engine,
  directory: JobDirectory,
  identity: Identity,
): Promise<Work> {
  const engineFolders = isolation.engineFolders(directory.hostFolders);
  const byAgent = server === null ? {} : writeServerSettings(server, directory.hostFolders, engineFolders);
  const cached =
    cache && new JobProviders(cache, { isolation, here: directory.hostFolders, timeout: job.timeout, log });
  const { variables, leftOut } = environment(job, engineFolders.home, { ...byAgent, ...cached?.environment });
  for (const name of leftOut) await log.say(`The environment variable ${name} is left out: it is set by the agent.`);
  for (const key of unmaskedKeys(job)) await log.say(`Warning: this log may show the value of ${key}: ${UNMASKED}`);
  const proof = await identity.begin(directory.hostFolders, engineFolders, stopping.interrupted);
  const told = { ...variables, ...proof, ...writeSshKey(job.sshKey, directory.hostFolders, engineFolders) };
  if (providers !== null) writeProviderSettings(providers, directory.hostFolders);
  const place = {
    isolation,
    here: directory.hostFolders,
    program: engine.program,
    environment: told,
    server: server?.address ?? null,
    readable: providers === null ? [] : [providers],
    providers: cached,
    timings,
    watcher,
  };
  const steps = (cwd: string): Steps => new Steps({ ...place, cwd }, stopping);
  return { job, engine, inputs, outputs, log, stopping, directory, engineFolders, steps };
}

/** What an engine says after it was stopped is not how the run ended, unless all was done by then. */
function isOutOfTime(end: JobEnd, job: Job, stopping: Stopping): JobEnd | undefined {
  const isDone = end.kind === 'finished' && end.step === 'apply' && end.exit === 0;
  if (!stopping.interrupted.aborted || isDone || end.kind === 'failed') return undefined;
  return stoppedOrFailed(job, stopping, undefined);
}

function stoppedOrFailed(job: Job, stopping: Stopping, error: unknown): JobEnd {
  if (error instanceof StateKept) return { kind: 'failed', reason: error.message };
  if (stopping.isLate) {
    const what = job.phase === 'plan' ? 'Planning' : 'Applying';
    return { kind: 'failed', reason: `${what} took longer than ${inWords(job.timeout)} and was stopped` };
  }
  if (stopping.because !== null) return { kind: 'failed', reason: stopping.because };
  if (stopping.interrupted.aborted) return { kind: 'canceled', isForced: stopping.killed.aborted };
  if (error instanceof JobFailure) return { kind: 'failed', reason: error.message };
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return { kind: 'failed', reason: 'The disk of the agent is full' };
  return { kind: 'failed', reason: `The agent failed: ${message}` };
}

const inWords = (seconds: number): string => (seconds % 3600 === 0 ? `${seconds / 3600} h` : `${seconds} s`);
