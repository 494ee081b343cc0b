import { X509Certificate } from 'node:crypto';
import type { Access } from '../../access/index.ts';
import { gauge, type Metrics } from '../../server/index.ts';
import { cachedRead } from './cached-read.ts';

const DAY_MS = 24 * 3_600_000;
/** What ends within that time is counted as ending. */
const SOON_DAYS = 30;
/** To go through a hundred thousand authorities takes some milliseconds. */
const HOLD_MS = 60_000;

/** When certificates end. */
export const CERTIFICATE_METRICS = {
  served: gauge(
    'lockkeeper_tls_certificate_expiry_timestamp_seconds',
    'When the first certificate ends of those that a listener shows.',
    ['listener'],
  ),
  authorities: gauge('lockkeeper_role_authorities', 'Certificates that roles trust, each counted once.', ['mount']),
  ended: gauge('lockkeeper_role_authorities_expired', 'Certificates that roles trust and that have ended.', ['mount']),
  ending: gauge(
    'lockkeeper_role_authorities_expiring',
    `Certificates that roles trust and that end within ${SOON_DAYS} days.`,
    ['mount'],
  ),
  next: gauge(
    'lockkeeper_role_authority_next_expiry_timestamp_seconds',
    'When the next certificate ends that roles trust.',
    ['mount'],
  ),
} as const;

/** The certificates that listeners show, as they were read last. */
export class ServedCertificates {
  readonly #endings = new Map<string, number>();

  /** @param pem of the listener's certificate, and of those above it */
  note(listener: string, pem: string): void {
    const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
    const endings = blocks.map((block) => new X509Certificate(block).validToDate.getTime());
    if (endings.length > 0) this.#endings.set(listener, Math.min(...endings));
  }

  /** Milliseconds since 1970, by listener. */
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
