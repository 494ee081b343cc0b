import { MAX_CONFIGURATION, MAX_JOB_STATE, MAX_PLAN_FOLDER } from '../../../lib/job/limits.ts';
import { execute } from '../../execute.ts';
import { type Bytes, type Content, type Inputs, type JobEnd, JobFailure, type Outputs } from '../../ports.ts';
import type { Stop } from '../../stopping.ts';
import { Timings, timed } from '../../timings.ts';
import type { AgentLog } from '../agent-log.ts';
import { isPassing, isRefusal, TooLarge } from '../http/failures.ts';
import { rest } from '../http/retry.ts';
import { Heartbeat } from './heartbeat.ts';
import { JobClient, TIMEOUT } from './job-client.ts';
import type { HandedJob, JobLinks } from './job-document.ts';
import { LogUpload } from './log-upload.ts';
import { inWords, reportOf } from './report.ts';
import { StateUpload } from './state-upload.ts';
import type { Workshop } from './workshop.ts';

/**
 * Outcome of a job: `dropped` if the server refused its start; `lost` if the server took it away while it ran;
 * `unreported` if the server was unavailable for too long.
 */
export type Outcome = 'reported' | 'dropped' | 'lost' | 'unreported';

/** Outcome of a job, and how it ended; `end` is null if it never started. */
export interface ExecutedJob {
  readonly outcome: Outcome;
  readonly end: JobEnd | null;
}

/** Seconds between the interrupt of an engine and its kill. */
const GRACE = 120;
/**
 * How long the agent tries to start a job on an unavailable server, in ms. The server hands a job out again that was
 * not started.
 */
const START_TIMEOUT = 60_000;

/**
 * Minimum duration of a failed apply, in ms. If a run finishes before `tofu` or `terraform` starts to read the log of
 * its apply, they print none of that log, so the user would not see the reason.
 */
const SHOWN = 5_000;

/** Executes a job and reports its end. Does not throw for failures of the server. */
export async function executeJob(handed: HandedJob, workshop: Workshop, stop: Stop): Promise<ExecutedJob> {
  const { job, token, links, traceparent } = handed;
  const log = about(workshop.log, job.id, job.runId);
  const client = new JobClient(workshop.server, token, log, traceparent);
  const timings = traceparent === null ? undefined : new Timings();
  const still = AbortSignal.any([client.lost, stop.kill]);
  try {
    await client.request(
      { method: 'POST', path: client.pathOf(links.start) },
      AbortSignal.any([still, stop.interrupt]),
      START_TIMEOUT,
    );
  } catch (error) {
    log.info(`job dropped before its start: ${(error as Error).message}`);
    return { outcome: 'dropped', end: null };
  }
  log.info(`${job.phase} of ${job.organization}/${job.workspace.name} started`);
  const heartbeat = new Heartbeat(client, links.heartbeat);
  heartbeat.start();
  try {
    const began = performance.now();
    const end = await runEngine(handed, workshop, client, stop, still, timings);
    if (job.phase === 'apply' && wentWrong(end)) {
      const left = Math.max(0, SHOWN - (performance.now() - began));
      await rest(left, AbortSignal.any([still, stop.interrupt])).catch(() => {});
    }
    const outcome = await report(client, links.finish, end, still, timings);
    log.info(inWords(end), { outcome });
    return { outcome, end };
  } finally {
    await heartbeat.stop();
  }
}

/** Reports the end of a job again. The server hands out a job again if it did not get the report. */
export async function reportAgain(
  { job, token, links }: HandedJob,
  end: JobEnd,
  { server, log }: Workshop,
  stop: Stop,
): Promise<Outcome> {
  const client = new JobClient(server, token, about(log, job.id, job.runId));
  return await report(client, links.finish, end, stop.kill);
}

async function runEngine(
  handed: HandedJob,
  { server, isolation, engines, providers, cache, folder, watcher }: Workshop,
  client: JobClient,
  stop: Stop,
  still: AbortSignal,
  timings: Timings | undefined,
): Promise<JobEnd> {
  const { job, token, runToken, serverAddress, links } = handed;
  const log = new LogUpload(client, links.log);
  const abandon = (): void => log.giveUp();
  stop.kill.addEventListener('abort', abandon);
  const states = new StateUpload(client, { links, runId: job.runId }, stop.kill);
  const end = await execute(
    job,
    {
      ...{ isolation, engines, providers, cache, folder, grace: GRACE },
      timings,
      watcher,
      inputs: timed(httpInputs(client, links, still), timings, INPUTS),
      outputs: timed(httpOutputs(client, links, { log, states }, still), timings, OUTPUTS),
      // The engine gets the public URL of the server, because configurations use it, even if the agent connects by
      // another URL.
      server: { address: serverAddress ?? server.base.href, token: runToken, ca: server.ca },
      secrets: runToken === null ? [token] : [token, runToken],
    },
    {
      interrupt: AbortSignal.any([stop.interrupt, client.interrupted]),
      kill: AbortSignal.any([stop.kill, client.killed]),
    },
  );
  await log.end();
  stop.kill.removeEventListener('abort', abandon);
  return end;
}

const INPUTS = { configuration: 'fetch configuration', state: 'fetch state', folder: 'fetch folder' };
const OUTPUTS = {
  state: 'upload state',
  planJson: 'upload plan',
  redactedPlan: 'upload redacted plan',
  schemas: 'upload schemas',
  folder: 'upload folder',
};

/** Reports the end of a job to the server. */
export async function report(
  client: JobClient,
  link: string,
  end: JobEnd,
  still: AbortSignal,
  timings?: Timings,
): Promise<Outcome> {
  if (client.lost.aborted) return 'lost';
  try {
    await client.request(
      { method: 'POST', path: client.pathOf(link), body: { json: reportOf(end, timings) } },
      still,
      TIMEOUT,
    );
    return 'reported';
  } catch (error) {
    return client.lost.aborted || isRefusal(error, 401, 404, 409) || !isPassing(error) ? 'lost' : 'unreported';
  }
}

const wentWrong = (end: JobEnd): boolean => end.kind === 'failed' || (end.kind === 'finished' && end.exit !== 0);

/** Returns a log that adds the job and the run to each line. */
export function about(log: AgentLog, job: string, run: string): AgentLog {
  return {
    info: (text, facts) => log.info(text, { job, run, ...facts }),
    warn: (text, facts) => log.warn(text, { job, run, ...facts }),
  };
}

/** Fetches the inputs of a job from the server. */
function httpInputs(client: JobClient, links: JobLinks, signal: AbortSignal): Inputs {
  const open = async (what: string, link: string | null | undefined, maxBytes: number): Promise<Bytes> => {
    if (typeof link !== 'string') throw new JobFailure(`The server returned no link to the ${what}`);
    try {
      const request = { method: 'GET', path: client.pathOf(link) } as const;
      return withContext(what, await client.openStream(request, maxBytes, signal), maxBytes);
    } catch (error) {
      throw failure(what, error, maxBytes);
    }
  };
  return {
    configuration: () => open('configuration', links.configuration, MAX_CONFIGURATION),
    state: async () => (typeof links.state === 'string' ? await open('state', links.state, MAX_JOB_STATE) : null),
    folder: () => open('folder of the plan', links.folder, MAX_PLAN_FOLDER),
  };
}

async function* withContext(what: string, bytes: Bytes, maxBytes: number): Bytes {
  try {
    yield* bytes;
  } catch (error) {
    throw failure(what, error, maxBytes);
  }
}

function failure(what: string, cause: unknown, maxBytes: number): JobFailure {
  if (cause instanceof JobFailure) return cause;
  if (cause instanceof TooLarge) return new JobFailure(`The ${what} is larger than ${maxBytes} bytes`, { cause });
  return new JobFailure(`The ${what} could not be downloaded: ${(cause as Error).message}`, { cause });
}

/** Uploads the outputs of a job to the server. */
function httpOutputs(
  client: JobClient,
  links: JobLinks,
  { log, states }: { readonly log: LogUpload; readonly states: StateUpload },
  signal: AbortSignal,
): Outputs {
  const put = async (what: string, link: string | null | undefined, content: Content): Promise<void> => {
    if (typeof link !== 'string') throw new JobFailure(`The server returned no link for the ${what}`);
    try {
      await client.request({ method: 'PUT', path: client.pathOf(link), body: { content } }, signal);
    } catch (cause) {
      if (cause instanceof JobFailure) throw cause;
      throw new JobFailure(`The ${what} could not be uploaded: ${(cause as Error).message}`, { cause });
    }
  };
  return {
    log: (bytes) => log.write(bytes),
    state: (version, isLast) => (isLast ? states.last(version) : states.between(version)),
    planJson: (json) => put('plan as JSON', links['json-output'], json),
    redactedPlan: (json) => put('plan without secrets', links['json-output-redacted'], json),
    schemas: (json) => put('schemas of its providers', links['provider-schemas'], json),
    folder: (archive) => put('folder for the apply', links.folder, archive),
  };
}
