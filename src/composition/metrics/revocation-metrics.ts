import type { Access, CrlMetrics, RevocationMetrics } from '../../access/index.ts';
import { counter, gauge, type Metrics } from '../../server/index.ts';
import { cachedRead } from './cached-read.ts';

/** @limit CRLs with metrics of their own, oldest first, CRLs -> further CRLs count only in totals */
const MOST_LISTS = 200;

/** One read serves all metrics of a page: one row for each CRL, and the cached CRLs. */
const HOLD_MS = 0;

const LIST = ['mount', 'name'];

/** Metrics of CRLs, OCSP responders and issuer keys. */
export const REVOCATION_METRICS = {
  entries: gauge('crl_entries', 'Entries of a CRL; only the 200 oldest CRLs.', LIST),
  age: gauge('crl_age_seconds', 'Age of a CRL since its upload or fetch; only the 200 oldest CRLs.', LIST),
  stale: gauge('crl_stale', '1 if a CRL is past its next update; only the 200 oldest CRLs.', LIST),
  failures: gauge(
    'crl_fetch_failures',
    'Failed fetches since the last successful one; only the 200 oldest CRLs.',
    LIST,
  ),
  lists: gauge('lockkeeper_crls', 'Number of CRLs.', ['mount']),
  staleLists: gauge('lockkeeper_crls_stale', 'CRLs that are past their next update.', ['mount']),
  oldest: gauge('lockkeeper_crl_oldest_age_seconds', 'Age of the oldest CRL since its upload or fetch.', ['mount']),
  fetches: counter('crl_fetches_total', 'CRL fetches, by outcome.', ['mount', 'kind']),
  ocsp: counter('ocsp_requests_total', 'OCSP requests and responses since the start.', ['mount', 'kind']),
  keysAge: gauge(
    'jwt_keys_age_seconds',
    'Age of the issuer keys of a mount since their fetch; the oldest of several.',
    ['mount'],
  ),
  keyFetches: counter('jwt_key_fetches_total', 'Fetches of issuer keys, by outcome.', ['mount', 'kind']),
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

/** Metrics of the keys that verify external tokens. */
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
