import type { Stop } from '../stopping.ts';
import { persistently } from './http/retry.ts';
import { executeJob, type Outcome } from './job/execute-job.ts';
import { readJob } from './job/job-document.ts';
import { type AgentPlace, openWorkshop } from './job/workshop.ts';

/** How long the server may be away before the job begins, ms. */
const TIMEOUT = 300_000;

/**
 * Carries out one job that was handed out elsewhere: with its id and its token.
 * @throws Refusal, where it is not to be had; Unanswered
 */
export async function executeOneJob(id: string, token: string, place: AgentPlace, stop: Stop): Promise<Outcome> {
  const workshop = openWorkshop(place);
  try {
    const path = `/api/v2/jobs/${encodeURIComponent(id)}`;
    const signal = stop.interrupt;
    const request = () => workshop.server.request({ method: 'GET', path, token, signal });
    const handed = readJob(await persistently(request, { signal, timeout: TIMEOUT }));
    // What it was started with, should the document not repeat it.
    return (await executeJob({ ...handed, token }, workshop, stop)).outcome;
  } finally {
    workshop.server.close();
  }
}
