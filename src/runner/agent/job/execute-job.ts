import { execute } from '../../execute.ts';
import type { JobEnd } from '../../ports.ts';
import type { Stop } from '../../stopping.ts';
import { Timings, timed } from '../../timings.ts';
import type { AgentLog } from '../agent-log.ts';
import { isPassing, isRefusal } from '../http/failures.ts';
import { rest } from '../http/retry.ts';
import { Heartbeat } from './heartbeat.ts';
import { httpInputs } from './http-inputs.ts';
import { httpOutputs } from './http-outputs.ts';
import { JobClient, TIMEOUT } from './job-client.ts';
import type { HandedJob } from './job-document.ts';
import { LogUpload } from './log-upload.ts';
import { inWords, reportOf } from './report.ts';
import { StateUpload } from './state-upload.ts';
import type { Workshop } from './workshop.ts';

/**
 * What came of a job: `dropped` before it began, since it is not to be done any more; `lost` while it was carried out; `unreported`
 * where the server was away for too long.
 */
export type Outcome = 'reported' | 'dropped' | 'lost' | 'unreported';

/** What came of it, and how it ended where it was begun. */
export interface ExecutedJob {
  readonly outcome: Outcome;
  readonly end: JobEnd | null;
}

/** Seconds that an engine has to end after it was interrupted. */
const GRACE = 120;
/** How long a job that nobody has begun is offered to a server that is away, ms: it is handed out again. */
const START_TIMEOUT = 60_000;

/**
 * An apply that goes wrong is over no sooner than this after it began, ms: a command line that finds the run over when it has read the plan
 * prints nothing of the apply, and nobody would see why.
 */
const SHOWN = 5_000;

/** Carries out a job that was handed out, and reports it. Does not throw for what a server does. */
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
    log.info(`the job is dropped before it begins: ${(error as Error).message}`);
    return { outcome: 'dropped', end: null };
  }
  log.info(`${job.phase} of ${job.organization}/${job.workspace.name} begins`);
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

/** Says once more how a job ended that was carried out, and is handed out again since the server was not told. */
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
      // Configurations name the server as others know it, whatever way the agent has to it.
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

/** Tells the server how a job ended. */
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

/** Lines about one job. */
export function about(log: AgentLog, job: string, run: string): AgentLog {
  return {
    info: (text, facts) => log.info(text, { job, run, ...facts }),
    warn: (text, facts) => log.warn(text, { job, run, ...facts }),
  };
}
