import type { Stop } from '../stopping.ts';
import { persistently } from './http/retry.ts';
import { carryOut, type Outcome } from './job/carry-out.ts';
import { readJob } from './job/job-document.ts';
import { type AgentPlace, openWorkshop } from './job/workshop.ts';

/** How long the server may be away before the job begins, ms. */
const PATIENCE = 300_000;

/**
 * Carries out one job that was handed out elsewhere: with its id and its token.
 * @throws Refusal, where it is not to be had; Unanswered
 */
export async function carryOutOne(id: string, token: string, place: AgentPlace, stop: Stop): Promise<Outcome> {
  const workshop = openWorkshop(place);
  try {
    const path = `/api/v2/jobs/${encodeURIComponent(id)}`;
    const signal = stop.interrupt;
    const asked = () => workshop.server.ask({ method: 'GET', path, token, signal });
    const handed = readJob(await persistently(asked, { signal, patience: PATIENCE }));
    // What it was started with, should the document not repeat it.
    return (await carryOut({ ...handed, token }, workshop, stop)).outcome;
  } finally {
    workshop.server.close();
  }
}
