import type { Access, CrlMetrics, RevocationMetrics } from '../../access/index.ts';
import { counter, gauge, type Metrics } from '../../server/index.ts';
import { cachedRead } from './cached-read.ts';

/** @limit revocation lists that metrics name one by one, those that are oldest, lists -> they are counted all the same */
const MOST_LISTS = 200;

/** All metrics of one page are made of one read: of a row for each list, and of what is in memory. */
const HOLD_MS = 0;

const LIST = ['mount', 'name'];

/** How revocation lists, responders and the keys of issuers are doing. */
export const REVOCATION_METRICS = {
  entries: gauge('crl_entries', 'Entries of a revocation list; of the 200 oldest lists.', LIST),
  age: gauge('crl_age_seconds', 'Since a list was uploaded or fetched; of the 200 oldest lists.', LIST),
  stale: gauge('crl_stale', '1 when a list is past its next update; of the 200 oldest lists.', LIST),
  failures: gauge('crl_fetch_failures', 'Fetches that failed since the last good one; of the 200 oldest lists.', LIST),
  lists: gauge('lockkeeper_crls', 'Revocation lists.', ['mount']),
  staleLists: gauge('lockkeeper_crls_stale', 'Revocation lists that are past their next update.', ['mount']),
  oldest: gauge('lockkeeper_crl_oldest_age_seconds', 'Since the list was uploaded or fetched that is oldest.', [
    'mount',
  ]),
  fetches: counter('crl_fetches_total', 'Fetches of revocation lists, by outcome.', ['mount', 'kind']),
  ocsp: counter('ocsp_requests_total', 'Asked and answered, since the start.', ['mount', 'kind']),
  keysAge: gauge(
    'jwt_keys_age_seconds',
    'Since the keys of the issuers of a mount were fetched; of several the oldest.',
    ['mount'],
  ),
  keyFetches: counter('jwt_key_fetches_total', 'Fetches of keys of issuers, by outcome.', ['mount', 'kind']),
} as const;

export function registerRevocation(metrics: Metrics, access: Access): void {
  const read = cachedRead(() => access.revocationMetrics(), HOLD_MS);
  registerLists(metrics, read);
  const counts = (of: (typeof REVOCATION_METRICS)['ocsp'], countsOf: (of: RevocationMetrics) => object) =>
    metrics.total(of, async () =>
      (await read()).flatMap((one) =>
        Object.entries(countsOf(one)).map(([kind, value]) => ({ labels: { mount: one.mount, kind }, value })),
      ),
    );
  counts(REVOCATION_METRICS.fetches, ({ crlFetches }) => crlFetches);
  counts(REVOCATION_METRICS.ocsp, ({ ocsp }) => ocsp);
  registerIssuerKeys(metrics, access);
}

function registerLists(metrics: Metrics, read: () => Promise<readonly RevocationMetrics[]>): void {
  const { entries, age, stale, failures, lists, staleLists, oldest } = REVOCATION_METRICS;
  const named = (of: typeof entries, figure: (list: CrlMetrics) => number) =>
    metrics.gauge(
      of,
      async () => {
        const all = (await read()).flatMap(({ mount, crls }) => crls.map((list) => ({ mount, list })));
        const shown = all.sort((a, b) => b.list.age - a.list.age).slice(0, MOST_LISTS);
        return shown.map(({ mount, list }) => ({ labels: { mount, name: list.name }, value: figure(list) }));
      },
      'max',
    );
  named(entries, (list) => list.entries);
  named(age, (list) => list.age);
  named(stale, (list) => Number(list.stale));
  named(failures, (list) => list.failures);
  const ofMount = (of: typeof entries, figure: (lists: readonly CrlMetrics[]) => number) =>
    metrics.gauge(
      of,
      async () => (await read()).map(({ mount, crls }) => ({ labels: { mount }, value: figure(crls) })),
      'max',
    );
  ofMount(lists, ({ length }) => length);
  ofMount(staleLists, (crls) => crls.filter((list) => list.stale).length);
  ofMount(oldest, (crls) => crls.reduce((most, list) => Math.max(most, list.age), 0));
}

/** Whether the keys that tokens of others are verified by can be had. */
function registerIssuerKeys(metrics: Metrics, access: Access): void {
  const read = cachedRead(() => access.issuerKeyMetrics(), HOLD_MS);
  metrics.gauge(
    REVOCATION_METRICS.keysAge,
    async () =>
      (await read()).flatMap(({ mount, sources }) => {
        const ages = sources.flatMap(({ age }) => (age === undefined ? [] : [age / 1000]));
        return ages.length === 0 ? [] : [{ labels: { mount }, value: Math.max(...ages) }];
      }),
    'max',
  );
  metrics.total(REVOCATION_METRICS.keyFetches, async () =>
    (await read()).flatMap(({ mount, sources }) =>
      (['fetched', 'failed'] as const).map((kind) => ({
        labels: { mount, kind },
        value: sources.reduce((sum, source) => sum + source[kind], 0),
      })),
    ),
  );
}
