import type { Access, CrlFigures, RevocationFigures } from '../access/index.ts';
import type { Metrics } from '../server/index.ts';
import type { Workspaces } from '../workspaces/index.ts';
import type { Domains } from './domains.ts';

/** What the domains count themselves, on the page of metrics. */
export function registerFigures(metrics: Metrics, { access, workspaces }: Domains): void {
  registerRevocation(metrics, access);
  registerIssuerKeys(metrics, access);
  registerNotifications(metrics, workspaces);
  registerRunTasks(metrics, workspaces);
}

/** How the revocation lists are doing, and how often responders are asked. */
function registerRevocation(metrics: Metrics, access: Access): void {
  const lists = (name: string, help: string, figure: (list: CrlFigures) => number) =>
    metrics.gauge(
      name,
      help,
      ['mount', 'name'],
      async () =>
        (await access.revocationFigures()).flatMap(({ mount, crls }) =>
          crls.map((list) => ({ labels: { mount, name: list.name }, value: figure(list) })),
        ),
      'max',
    );
  lists('crl_entries', 'Entries of a revocation list.', ({ entries }) => entries);
  lists('crl_age_seconds', 'Since a list was uploaded or fetched.', ({ age }) => age);
  lists('crl_stale', '1 when a list is past its next update.', ({ stale }) => Number(stale));
  lists('crl_fetch_failures', 'Fetches that failed since the last good one.', ({ failures }) => failures);
  const counts = (name: string, help: string, figures: (of: RevocationFigures) => object) =>
    metrics.total(name, help, ['mount', 'kind'], async () =>
      (await access.revocationFigures()).flatMap((of) =>
        Object.entries(figures(of)).map(([kind, value]) => ({ labels: { mount: of.mount, kind }, value })),
      ),
    );
  counts('crl_fetches_total', 'Fetches of revocation lists, by outcome.', ({ crlFetches }) => crlFetches);
  counts('ocsp_requests_total', 'Asked and answered, since the start.', ({ ocsp }) => ocsp);
}

/** Whether the keys that tokens of others are verified by can be had. */
function registerIssuerKeys(metrics: Metrics, access: Access): void {
  metrics.gauge(
    'jwt_keys_age_seconds',
    'Since the keys of the issuers of a mount were fetched; of several the oldest.',
    ['mount'],
    async () =>
      (await access.issuerKeyFigures()).flatMap(({ mount, sources }) => {
        const ages = sources.flatMap(({ age }) => (age === undefined ? [] : [age / 1000]));
        return ages.length === 0 ? [] : [{ labels: { mount }, value: Math.max(...ages) }];
      }),
    'max',
  );
  metrics.total('jwt_key_fetches_total', 'Fetches of keys of issuers, by outcome.', ['mount', 'kind'], async () =>
    (await access.issuerKeyFigures()).flatMap(({ mount, sources }) =>
      (['fetched', 'failed'] as const).map((kind) => ({
        labels: { mount, kind },
        value: sources.reduce((sum, source) => sum + source[kind], 0),
      })),
    ),
  );
}

function registerNotifications(metrics: Metrics, { execution: { notificationFigures } }: Workspaces): void {
  metrics.total(
    'notification_deliveries_total',
    'Notifications by what became of them, since the start.',
    ['destination', 'outcome'],
    async () => notificationFigures.all().map(({ value, ...labels }) => ({ labels, value })),
  );
}

function registerRunTasks(metrics: Metrics, { execution: { taskRequestFigures } }: Workspaces): void {
  metrics.total(
    'run_task_requests_total',
    'Requests of run tasks by what became of them, since the start.',
    ['outcome'],
    async () => taskRequestFigures.all().map(({ outcome, value }) => ({ labels: { outcome }, value })),
  );
}
