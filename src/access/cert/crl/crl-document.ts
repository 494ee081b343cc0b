import { isoTime } from '../../../lib/clock.ts';
import { yieldIfDue } from '../../../lib/slices.ts';
import { decimalOf } from '../../../revocation/crl/index.ts';
import { component, flag, integer, mapOf, orNull, seconds, text, time, word } from '../../operation/schema.ts';
import type { CrlReading } from './crl-service.ts';

const CrlStatus = component('CrlStatus', {
  signature: word(['verified', 'unknown-issuer', 'invalid']),
  signature_fault: orNull(text('Why it is invalid.')),
  stale: flag('Whether it is overdue.'),
  fetched_at: time('When it was uploaded, fetched, or confirmed by its server.'),
  age: seconds('Since then.'),
  last_error: orNull(text('Of the last fetch that failed.')),
  failures: integer('Failed fetches since the last that succeeded.'),
  next_fetch: orNull(time()),
});

const SHOWN = {
  issuer: text('RFC 4514'),
  crl_number: orNull(text('Decimal.')),
  this_update: time(),
  next_update: orNull(time()),
  entries: integer('How many certificates it revokes.'),
  cdp: orNull(component('CrlDistributionPoint', { url: text(), valid_until: orNull(time()) })),
  on_stale: word(['use', 'refuse']),
  on_unknown_issuer: word(['match_serial', 'ignore']),
  status: CrlStatus,
};

export const Crl = component(
  'Crl',
  { ...SHOWN, serials: mapOf(component('Nothing', {}), 'By serial number, decimal.') },
  'A revocation list, and how its fetching goes.',
);
/** The same in a list. */
export const CrlInfo = component('CrlInfo', SHOWN, 'A revocation list without what is on it.');

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
    await yieldIfDue();
  }
  if (members.length > 0) yield separator + members.join();
  yield json.slice(at);
}

const EMPTY_SERIALS = '"serials":{}';
