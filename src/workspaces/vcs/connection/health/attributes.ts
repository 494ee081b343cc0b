import { Type } from 'typebox';
import { isoTime } from '../../../../lib/clock.ts';
import { attribute, is } from '../../../resource/index.ts';
import type { TokenHealth } from '../connection.ts';

/** A resource with the health of its credential. */
interface Checked {
  readonly health: TokenHealth;
}

const timeOf = (time: number | null) => (time === null ? null : isoTime(time));

/** Declares the attributes of a resource with the health of its credential. */
export const HEALTH_ATTRIBUTES = {
  'connection-status': attribute(
    Type.Enum(['unverified', 'ok', 'refused', 'unreachable']),
    ({ health }: Checked) => health.status,
  ),
  'connection-status-reason': attribute(is.textOrNull, ({ health }: Checked) => health.reason),
  'connection-status-since': attribute(is.timeOrNull, ({ health }: Checked) => timeOf(health.since)),
  'connection-checked-at': attribute(is.timeOrNull, ({ health }: Checked) => timeOf(health.checkedAt)),
};
