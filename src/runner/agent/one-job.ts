import { join } from 'node:path';
import { FileTaken, lockFile } from '../../lib/locks/file-lock.ts';
import type { Stop } from '../stopping.ts';
import { LOCK } from './agent.ts';
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
  const { providerCache, release } = cacheFor(place);
  const workshop = openWorkshop({ ...place, providerCache });
  try {
    const path = `/api/v2/jobs/${encodeURIComponent(id)}`;
    const signal = stop.interrupt;
    const asked = () => workshop.server.ask({ method: 'GET', path, token, signal });
    const handed = readJob(await persistently(asked, { signal, patience: PATIENCE }));
    // What it was started with, should the document not repeat it.
    return (await carryOut({ ...handed, token }, workshop, stop)).outcome;
  } finally {
    workshop.server.close();
    release();
  }
}

/** The cache of providers, unless another process works with it. */
function cacheFor({ providerCache, log }: AgentPlace): { readonly providerCache: string | null; release(): void } {
  const none = { providerCache: null, release: () => {} };
  if (providerCache === null) return none;
  try {
    const lock = lockFile(join(providerCache, LOCK));
    return { providerCache, release: () => lock.release() };
  } catch (error) {
    if (!(error instanceof FileTaken)) throw error;
    log.warn(`providers are fetched anew: ${error.message}`);
    return none;
  }
}
