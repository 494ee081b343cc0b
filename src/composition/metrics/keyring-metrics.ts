import { gauge, type Metrics } from '../../server/index.ts';
import type { FileKeyring } from '../../storage/index.ts';

/** Metrics of this node's keyring. */
export const KEYRING_METRICS = {
  current: gauge(
    'lockkeeper_keyring_current',
    '1 if the loaded keys match the keyring file; 0 if the file has changed and a process could not read it.',
  ),
  newest: gauge(
    'lockkeeper_keyring_newest_key',
    'Number of the newest key that every process of this node has loaded.',
  ),
} as const;

export function registerKeyring(metrics: Metrics, keyring: FileKeyring): void {
  const { current, newest } = KEYRING_METRICS;
  metrics.gauge(current, async () => [{ labels: {}, value: Number(keyring.isCurrent) }], 'min');
  metrics.gauge(newest, async () => [{ labels: {}, value: Math.max(...keyring.versions) }], 'min');
}
