import { isoTime } from '../../../lib/clock.ts';
import type { DeliveryResponse } from '../webhook/sender.ts';

/** @limit answers that a notification configuration shows, answers -> the oldest is forgotten */
const MOST_RESPONSES = 5;

/** With one more, the newest first. */
export function withResponse(before: readonly DeliveryResponse[], response: DeliveryResponse): DeliveryResponse[] {
  return [response, ...before].slice(0, MOST_RESPONSES);
}

/** In place of answers to messages that nobody has sent, as they had waited too long. */
export function givenUpUnsent(url: string, count: number, now: number): DeliveryResponse {
  const body = `${count} notifications were given up: they had waited too long for the receiver`;
  return { url, body, code: '', headers: {}, 'sent-at': isoTime(now), successful: 'false' };
}
