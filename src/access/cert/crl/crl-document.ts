import { isoTime } from '../../../lib/clock.ts';
import { yieldIfDue } from '../../../lib/slices.ts';
import { decimalOf } from '../../../revocation/crl/index.ts';
import { component, flag, integer, mapOf, orNull, seconds, text, time, word } from '../../operation/schema.ts';
import type { CrlReading } from './crl-service.ts';

const CrlStatus = component('CrlStatus', {
  signature: word(['verified', 'unknown-issuer', 'invalid']),
  signature_fault: orNull(text('Why the signature is invalid.')),
  stale: flag('Whether the next update is overdue.'),
  fetched_at: time('Time of the upload, the last fetch, or the last confirmation by the server.'),
  age: seconds('Time since then.'),
  last_error: orNull(text('Error of the last failed fetch.')),
  failures: integer('Number of failed fetches since the last success.'),
  next_fetch: orNull(time()),
});

const SHOWN = {
  issuer: text('RFC 4514'),
  crl_number: orNull(text('Decimal.')),
  this_update: time(),
  next_update: orNull(time()),
  entries: integer('Number of revoked certificates.'),
  cdp: orNull(component('CrlDistributionPoint', { url: text(), valid_until: orNull(time()) })),
  on_stale: word(['use', 'refuse']),
  on_unknown_issuer: word(['match_serial', 'ignore']),
  status: CrlStatus,
};

export const Crl = component(
  'Crl',
  { ...SHOWN, serials: mapOf(component('Nothing', {}), 'Revoked certificates by serial number, decimal.') },
  'A CRL (certificate revocation list) and the state of its fetches.',
);
/** A CRL in a list. */
export const CrlInfo = component('CrlInfo', SHOWN, 'A CRL without its serial numbers.');

const SERIALS_PER_PIECE = 500;

/** Returns the fields of a CRL, without its serial numbers. */
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
 * Inserts serial numbers into the empty object `"serials": {}` of a JSON text, as `"42":{}`. Streams them, so that
 * only a few hundred are in memory as text.
 * @param json contains the member `serials` once, as the last one of `data`
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
