import type { EnginePlaces } from '../../engine/engine.ts';
import { execute } from '../../execute.ts';
import type { Isolation } from '../../isolation/isolation.ts';
import type { JobEnd } from '../../ports.ts';
import type { ProviderCache } from '../../providers/cache.ts';
import type { Stop } from '../../stopping.ts';
import { Timings, timed } from '../../timings.ts';
import type { AgentLog } from '../agent-log.ts';
import { isPassing, isRefusal } from '../http/failures.ts';
import { rest } from '../http/retry.ts';
import type { Server } from '../http/server.ts';
import { httpInputs } from './http-inputs.ts';
import { httpOutputs } from './http-outputs.ts';
import type { HandedJob } from './job-document.ts';
import { JobLine, PATIENCE } from './job-line.ts';
import { LogUpload } from './log-upload.ts';
import { Pulse } from './pulse.ts';
import { inWords, reportOf } from './report.ts';
import { StateUpload } from './state-upload.ts';

/** What an agent has to carry out jobs with. */
export interface Workshop {
  readonly server: Server;
  readonly isolation: Isolation;
  readonly engines: EnginePlaces;
  /** See `Parts.providers`. */
  readonly providers: string | null;
  /** See `Parts.cache`. */
  readonly cache: ProviderCache | null;
  readonly folder: string;
  readonly log: AgentLog;
}

/**
 * What came of a job: `dropped` before it began, since it is not to be done any more; `lost` while it was carried out; `unreported`
 * where the server was away for too long.
 */
export type Outcome = 'reported' | 'dropped' | 'lost' | 'unreported';

/** What came of it, and how it ended where it was begun. */
export interface CarriedOut {
  readonly outcome: Outcome;
  readonly end: JobEnd | null;
}

/** Seconds that an engine has to end after it was interrupted. */
const GRACE = 120;
/** How long a job that nobody has begun is offered to a server that is away, ms: it is handed out again. */
const START_PATIENCE = 60_000;

/**
 * An apply that goes wrong is over no sooner than this after it began, ms: a command line that finds the run over when it has read the plan
 * prints nothing of the apply, and nobody would see why.
 */
const SHOWN = 5_000;

/** Carries out a job that was handed out, and reports it. Does not throw for what a server does. */
export async function carryOut(handed: HandedJob, workshop: Workshop, stop: Stop): Promise<CarriedOut> {
  const { job, token, links, traceparent } = handed;
  const log = about(workshop.log, job.id, job.runId);
  const line = new JobLine(workshop.server, token, log, traceparent);
  const timings = traceparent === null ? undefined : new Timings();
  const still = AbortSignal.any([line.lost, stop.kill]);
  try {
    await line.ask(
      { method: 'POST', path: line.pathOf(links.start) },
      AbortSignal.any([still, stop.interrupt]),
      START_PATIENCE,
    );
  } catch (error) {
    log.info(`the job is dropped before it begins: ${(error as Error).message}`);
    return { outcome: 'dropped', end: null };
  }
  log.info(`${job.phase} of ${job.organization}/${job.workspace.name} begins`);
  const pulse = new Pulse(line, links.heartbeat);
  pulse.start();
  try {
    const began = performance.now();
    const end = await executed(handed, workshop, line, stop, still, timings);
    if (job.phase === 'apply' && wentWrong(end)) {
      const left = Math.max(0, SHOWN - (performance.now() - began));
      await rest(left, AbortSignal.any([still, stop.interrupt])).catch(() => {});
    }
    const outcome = await report(line, links.finish, end, still, timings);
    log.info(inWords(end), { outcome });
    return { outcome, end };
  } finally {
    await pulse.stop();
  }
}

/** Says once more how a job ended that was carried out, and is handed out again since the server was not told. */
export async function reportAgain(
  { job, token, links }: HandedJob,
  end: JobEnd,
  { server, log }: Workshop,
  stop: Stop,
): Promise<Outcome> {
  const line = new JobLine(server, token, about(log, job.id, job.runId));
  return await report(line, links.finish, end, stop.kill);
}

async function executed(
  handed: HandedJob,
  { server, isolation, engines, providers, cache, folder }: Workshop,
  line: JobLine,
  stop: Stop,
  still: AbortSignal,
  timings: Timings | undefined,
): Promise<JobEnd> {
  const { job, token, runToken, serverAddress, links } = handed;
  const log = new LogUpload(line, links.log);
  const abandon = (): void => log.giveUp();
  stop.kill.addEventListener('abort', abandon);
  const states = new StateUpload(line, { links, runId: job.runId }, stop.kill);
  const end = await execute(
    job,
    {
      ...{ isolation, engines, providers, cache, folder, grace: GRACE },
      timings,
      inputs: timed(httpInputs(line, links, still), timings, INPUTS),
      outputs: timed(httpOutputs(line, links, { log, states }, still), timings, OUTPUTS),
      // Configurations name the server as others know it, whatever way the agent has to it.
      server: { address: serverAddress ?? server.base.href, token: runToken, ca: server.ca },
      secrets: runToken === null ? [token] : [token, runToken],
    },
    {
      interrupt: AbortSignal.any([stop.interrupt, line.interrupted]),
      kill: AbortSignal.any([stop.kill, line.killed]),
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
  line: JobLine,
  link: string,
  end: JobEnd,
  still: AbortSignal,
  timings?: Timings,
): Promise<Outcome> {
  if (line.lost.aborted) return 'lost';
  try {
    await line.ask(
      { method: 'POST', path: line.pathOf(link), body: { json: reportOf(end, timings) } },
      still,
      PATIENCE,
    );
    return 'reported';
  } catch (error) {
    return line.lost.aborted || isRefusal(error, 401, 404, 409) || !isPassing(error) ? 'lost' : 'unreported';
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
