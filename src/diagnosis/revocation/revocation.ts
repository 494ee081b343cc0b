import { type Finding, failure, type NamedFinding, skipped, success, warning } from '../../lib/finding/finding.ts';
import { FetchError } from '../../lib/http/fetch-error.ts';
import { createGuardedFetch, type GuardedFetch } from '../../outbound/guarded-fetch.ts';
import type { Subject } from '../model/check.ts';
import { inParallel } from '../model/in-parallel.ts';
import type { ListFacts, Site } from '../model/site.ts';

const HOUR = 3_600_000;
const TIMEOUT_MS = 5_000;

/** Whether the revocation data is up to date. */
export const revocation: Subject = {
  name: 'revocation',
  checks: [
    { name: 'lists', run: lists, isCheap: true },
    { name: 'addresses', run: addresses },
  ],
};

async function lists(site: Site): Promise<Finding | NamedFinding[]> {
  const all = await site.lists();
  if (all.length === 0) return skipped('no CRL is stored');
  return all.map((list) => ({ name: `${list.mount}/${list.name}`, ...listFinding(list, site.clock()) }));
}

/** Evaluates the age of a CRL, and whether a newer one is due. */
export function listFinding(
  { fetchedAt, nextUpdate, failures, lastError, refusesStale, url }: ListFacts,
  now: number,
): Finding {
  const age = `${hoursText(now - fetchedAt)} old`;
  const advice = url === null ? 'upload the next one' : 'find out why it cannot be fetched, or upload it';
  if (nextUpdate !== undefined && nextUpdate < now) {
    const found = `overdue for ${hoursText(now - nextUpdate)}`;
    return refusesStale
      ? failure(`${found}: certificates of its issuer are refused`, advice, lastError ?? undefined)
      : warning(found, `${advice}: certificates revoked since then can still log in`, lastError ?? undefined);
  }
  if (failures > 0) return warning(`${age}, ${failures} fetches have failed since`, advice, lastError ?? undefined);
  const next =
    nextUpdate === undefined ? 'without a next update' : `the next one is due in ${hoursText(nextUpdate - now)}`;
  return success(`${age}, ${next}`);
}

const hoursText = (milliseconds: number) =>
  milliseconds < 48 * HOUR ? `${(milliseconds / HOUR).toFixed(1)} h` : `${Math.floor(milliseconds / 24 / HOUR)} d`;

/** Checks each URL with the fetch rules of the server. */
async function addresses(site: Site, signal: AbortSignal): Promise<Finding | NamedFinding[]> {
  const { deniedAddresses: deniedBlocks, allowedAddresses: allowed } = site.config;
  const fetch = createGuardedFetch({ deniedBlocks, allowed });
  // Named by its first user, because only the host of the URL may be shown.
  const names = new Map<string, string>();
  for (const { url, mount, name } of await site.lists())
    if (url !== null && !names.has(url)) names.set(url, `CRL ${mount}/${name}`);
  for (const { url, mount, role } of await site.responders())
    if (!names.has(url)) names.set(url, `responder of ${mount}/${role}`);
  if (names.size === 0) return skipped('no CRL is fetched, and no role configures a responder');
  const asked = [...names].map(([url, name]) => ({ name, look: (over: AbortSignal) => reach(fetch, url, over) }));
  return inParallel(asked, signal);
}

/** Any response means that the server is reachable. */
async function reach(fetch: GuardedFetch, url: string, signal: AbortSignal): Promise<Finding> {
  try {
    const answer = await fetch(url, {
      timeoutMs: TIMEOUT_MS,
      maxBytes: Number.MAX_SAFE_INTEGER,
      maxRedirects: 3,
      signal,
    });
    answer.discard();
    if (answer.status >= 500)
      return warning(`it answers with status ${answer.status}`, 'check the server at this URL', url);
    return success(`it answers with status ${answer.status}`, url);
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    const advice =
      error.kind === 'denied'
        ? 'add it to revocation.allowed_addresses, if it is your own server'
        : 'check DNS, firewalls and the server itself';
    return failure(`cannot be reached: ${error.kind}`, advice, `${url}: ${error.message}`);
  }
}
