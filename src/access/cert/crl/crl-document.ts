import { isoTime } from '../../../lib/clock.ts';
import { breathe } from '../../../lib/slices.ts';
import { decimalOf } from '../../../revocation/crl/index.ts';
import type { CrlReading } from './crl-service.ts';

const SERIALS_PER_PIECE = 500;

/** What a read shows of a list beside its serial numbers. */
export function crlDocument({ stored, loaded }: CrlReading, now: number): Record<string, unknown> {
  const { list, signature, settings } = loaded;
  const { info } = list;
  const nextUpdate = info.nextUpdate === undefined ? null : isoTime(info.nextUpdate);
  return {
    issuer: info.issuer.toString(),
    crl_number: info.number === undefined ? null : String(info.number),
    this_update: isoTime(info.thisUpdate),
    next_update: nextUpdate,
    entries: info.entries,
    cdp: stored.url === null ? null : { url: stored.url, valid_until: nextUpdate },
    ...settings,
    status: {
      signature: signature.state,
      signature_fault: signature.state === 'invalid' ? signature.fault : null,
      stale: !list.isCurrent(now),
      fetched_at: isoTime(stored.fetchedAt),
      age: Math.floor((now - stored.fetchedAt) / 1000),
      last_error: stored.lastError,
      failures: stored.failures,
      next_fetch: stored.nextFetchAt === null ? null : isoTime(stored.nextFetchAt),
    },
  };
}

/**
 * JSON with `"serials": {}` in it, and the serial numbers put in between its braces: `"42":{}`. However many there are, only
 * a few hundred are in memory as text.
 * @param json holds the member `serials` once, as the last of `data`
 */
export async function* withSerials(json: string, serials: Iterable<Uint8Array>): AsyncGenerator<string> {
  const at = json.lastIndexOf(EMPTY_SERIALS) + EMPTY_SERIALS.length - 1;
  let members: string[] = [];
  let separator = '';
  yield json.slice(0, at);
  for (const serial of serials) {
    members.push(`"${decimalOf(serial)}":{}`);
    if (members.length < SERIALS_PER_PIECE) continue;
    yield separator + members.join();
    separator = ',';
    members = [];
    await breathe();
  }
  if (members.length > 0) yield separator + members.join();
  yield json.slice(at);
}

const EMPTY_SERIALS = '"serials":{}';
