import { setTimeout as wait } from 'node:timers/promises';
import { isDecisive, type Outcome } from './outcome.ts';
import type { Question } from './question.ts';
import { askResponder, type Means, type Method } from './responder.ts';
import { TimeBudget } from './time-budget.ts';

/** Durations in milliseconds. */
export interface Timing {
  /** Total time of a check, for which a login waits. */
  readonly total: number;
  /** Timeout of one attempt at one responder, for GET and POST in total. */
  readonly perTry: number;
  /** Delay before the first retry; it doubles for each later one, up to `longestPause`. */
  readonly firstPause: number;
  readonly longestPause: number;
}

export const TIMING: Timing = { total: 10_000, perTry: 3000, firstPause: 100, longestPause: 1000 };

/**
 * Each attempt may use both methods. The first one alternates, because a responder that hangs for one method may
 * respond to the other.
 */
const GET_FIRST: readonly [Method, Method] = ['GET', 'POST'];
const POST_FIRST: readonly [Method, Method] = ['POST', 'GET'];

/**
 * Sends requests to the responders of a certificate: in order until one response is conclusive or, if they must all
 * agree, in parallel. Returns one outcome for each responder that got a request.
 */
export async function askResponders(means: Means, question: Question, timing: Timing): Promise<Outcome[]> {
  const time = new TimeBudget(timing.total);
  const { servers, settings } = question;
  if (!settings.queryAllServers) return askInOrder(means, servers, question, time, timing);
  const outcomes = await Promise.all(servers.map((server) => askInOrder(means, [server], question, time, timing)));
  return outcomes.flat();
}

/**
 * Sends requests to all responders in rounds, so that one that hangs does not use up the time of the others. Later
 * rounds ask those without a response again.
 */
async function askInOrder(
  means: Means,
  servers: readonly string[],
  question: Question,
  time: TimeBudget,
  timing: Timing,
): Promise<Outcome[]> {
  const outcomes = new Map<string, Outcome>();
  let unanswered = servers;
  for (let round = 0; round <= question.settings.maxRetries; round++) {
    if (round > 0) await pause(round, time, timing);
    const methods = round % 2 === 0 ? GET_FIRST : POST_FIRST;
    for (const server of unanswered) {
      if (time.left === 0) break;
      const outcome = await askResponder(means, server, question, methods, time.part(timing.perTry));
      outcomes.set(server, outcome);
      if (isDecisive(outcome)) return [...outcomes.values()];
    }
    unanswered = unanswered.filter((server) => outcomes.get(server)?.kind === 'unreachable');
    if (unanswered.length === 0 || time.left === 0) break;
  }
  return servers.map((server) => outcomes.get(server) ?? { kind: 'unreachable', server, detail: 'no time left' });
}

function pause(round: number, time: TimeBudget, { firstPause, longestPause }: Timing): Promise<void> {
  return wait(Math.min(firstPause * 2 ** (round - 1), longestPause, time.left));
}
