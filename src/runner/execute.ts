import { applyJob } from './apply-job.ts';
import { checkActions } from './engine/actions.ts';
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
  'it has fewer than 4 characters, or is a word that is common in logs. Use a longer secret, or do not mark the variable as sensitive.';

/** Dependencies of the execution of jobs. */
export interface Parts {
  readonly inputs: Inputs;
  readonly outputs: Outputs;
  readonly isolation: Isolation;
  readonly engines: EnginePlaces;
  /**
   * Folder of provider packages of this agent, with the layout of `terraform providers mirror`. Engines download the
   * providers in it from nowhere else. Null for none.
   */
  readonly providers: string | null;
  /** Shared cache of downloaded providers; null for none. */
  readonly cache: ProviderCache | null;
  /** Folder for the files of jobs. No other agent uses it. */
  readonly folder: string;
  /** The server of the job, which the engine may connect to; null for none. */
  readonly server: OwnServer | null;
  /** Tokens that must not appear in the log, in addition to the secrets of the job. */
  readonly secrets: readonly string[];
  /** Seconds between the interrupt of an engine and its kill. */
  readonly grace: number;
  /** Records the duration of steps if the job is traced. */
  readonly timings?: Timings | undefined;
  /** Called when an engine starts and ends. */
  readonly watcher?: StepWatcher | undefined;
}

/**
 * Executes a plan or an apply, from its inputs to its outputs.
 * @returns how the job ended. Failures that the engine does not print are also in the log. Does not throw for failures
 *   of the job, the engine or an output.
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
  if (end.kind === 'canceled') await log.say(end.isForced ? 'The run was force-canceled.' : 'The run was canceled.');
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
  checkActions(job, engine);
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

/** Writes the header of a log. It must have three lines, because command lines skip the first three. */
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
  for (const name of leftOut) await log.say(`The environment variable ${name} is ignored: the agent sets it.`);
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

/**
 * Returns the end of a job that was stopped while it ran. The exit code of an interrupted engine does not count, unless
 * the apply was already complete.
 */
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
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return { kind: 'failed', reason: 'The disk of the agent is full. Free some space and start the run again' };
  return { kind: 'failed', reason: `The agent failed: ${message}` };
}

const inWords = (seconds: number): string => (seconds % 3600 === 0 ? `${seconds / 3600} h` : `${seconds} s`);
