import { X509Certificate } from 'node:crypto';
import type { Access } from '../../access/index.ts';
import { gauge, type Metrics } from '../../server/index.ts';
import { cachedRead } from './cached-read.ts';

const DAY_MS = 24 * 3_600_000;
/** Certificates that expire within this time count as expiring. */
const SOON_DAYS = 30;
/** Cached, because iterating over a hundred thousand CAs takes some milliseconds. */
const HOLD_MS = 60_000;

/** Metrics of certificate expiry. */
export const CERTIFICATE_METRICS = {
  served: gauge(
    'lockkeeper_tls_certificate_expiry_timestamp_seconds',
    'Earliest expiry of the certificates that a listener presents.',
    ['listener'],
  ),
  authorities: gauge('lockkeeper_role_authorities', 'CA certificates that roles trust, each counted once.', ['mount']),
  ended: gauge('lockkeeper_role_authorities_expired', 'Expired CA certificates that roles trust.', ['mount']),
  ending: gauge(
    'lockkeeper_role_authorities_expiring',
    `CA certificates that roles trust and that expire within ${SOON_DAYS} days.`,
    ['mount'],
  ),
  next: gauge(
    'lockkeeper_role_authority_next_expiry_timestamp_seconds',
    'Next expiry of a CA certificate that roles trust.',
    ['mount'],
  ),
} as const;

/** Currently loaded listener certificates. */
export class ServedCertificates {
  readonly #endings = new Map<string, number>();

  /** @param pem certificate chain of the listener */
  note(listener: string, pem: string): void {
    const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
    const endings = blocks.map((block) => new X509Certificate(block).validToDate.getTime());
    if (endings.length > 0) this.#endings.set(listener, Math.min(...endings));
  }

  /** Expiry by listener, milliseconds since 1970. */
  endings(): { readonly listener: string; readonly at: number }[] {
    return [...this.#endings].map(([listener, at]) => ({ listener, at }));
  }
}

export function registerCertificates(metrics: Metrics, served: ServedCertificates, access: Access): void {
  const { authorities, ended, ending, next } = CERTIFICATE_METRICS;
  metrics.gauge(
    CERTIFICATE_METRICS.served,
    async () => served.endings().map(({ listener, at }) => ({ labels: { listener }, value: at / 1000 })),
    'min',
  );
  const read = cachedRead(() => access.caExpiries(SOON_DAYS * DAY_MS), HOLD_MS);
  metrics.shared(authorities, async () =>
    (await read()).map(({ mount, count }) => ({ labels: { mount }, value: count })),
  );
  metrics.shared(ended, async () => (await read()).map((one) => ({ labels: { mount: one.mount }, value: one.ended })));
  metrics.shared(ending, async () =>
    (await read()).map((one) => ({ labels: { mount: one.mount }, value: one.ending })),
  );
  metrics.shared(next, async () =>
    (await read()).flatMap((one) =>
      Number.isFinite(one.next) ? [{ labels: { mount: one.mount }, value: one.next / 1000 }] : [],
    ),
  );
}
