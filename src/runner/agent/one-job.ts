import type { Stop } from '../stopping.ts';
import { persistently } from './http/retry.ts';
import { executeJob, type Outcome } from './job/execute-job.ts';
import { readJob } from './job/job-document.ts';
import { type AgentPlace, openWorkshop } from './job/workshop.ts';

/** How long to retry while the server is unavailable, before the job starts, in ms. */
const TIMEOUT = 300_000;

/**
 * Executes one job that another process claimed, by its id and its token.
 * @throws Refusal if the server does not return the job; Unanswered
 */
export async function executeOneJob(id: string, token: string, place: AgentPlace, stop: Stop): Promise<Outcome> {
  const workshop = openWorkshop(place);
  try {
    const path = `/api/v2/jobs/${encodeURIComponent(id)}`;
    const signal = stop.interrupt;
    const request = () => workshop.server.request({ method: 'GET', path, token, signal });
    const handed = readJob(await persistently(request, { signal, timeout: TIMEOUT }));
    // The token of the caller takes precedence over the one in the document.
    return (await executeJob({ ...handed, token }, workshop, stop)).outcome;
  } finally {
    workshop.server.close();
  }
}
