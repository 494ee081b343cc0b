import { isoTime } from '../../../lib/clock.ts';
import type { DeliveryResponse } from '../../delivery/index.ts';

/** @limit responses kept of a notification configuration, responses -> the oldest is dropped */
const MOST_RESPONSES = 5;

/** Adds a response, newest first. */
export function withResponse(before: readonly DeliveryResponse[], response: DeliveryResponse): DeliveryResponse[] {
  return [response, ...before].slice(0, MOST_RESPONSES);
}

/** Replaces the responses of messages that were dropped unsent. */
export function givenUpUnsent(url: string, count: number, now: number): DeliveryResponse {
  const body = `${count} notifications were dropped, because they had waited too long for the receiver`;
  return { url, body, code: '', headers: {}, 'sent-at': isoTime(now), successful: 'false' };
}
