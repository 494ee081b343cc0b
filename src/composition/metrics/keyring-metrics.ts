import { gauge, type Metrics } from '../../server/index.ts';
import type { FileKeyring } from '../../storage/index.ts';

/** Whether this node has the keys that it should have. */
export const KEYRING_METRICS = {
  current: gauge(
    'lockkeeper_keyring_current',
    '1 when the keys in use are those of the keyring file; 0 when it has changed and one process could not read it.',
  ),
  newest: gauge('lockkeeper_keyring_newest_key', 'The number of the newest key that every process of this node has.'),
} as const;

export function registerKeyring(metrics: Metrics, keyring: FileKeyring): void {
  const { current, newest } = KEYRING_METRICS;
  metrics.gauge(current, async () => [{ labels: {}, value: Number(keyring.isCurrent) }], 'min');
  metrics.gauge(newest, async () => [{ labels: {}, value: Math.max(...keyring.versions) }], 'min');
}
