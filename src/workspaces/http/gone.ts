import type { FastifyReply } from 'fastify';

/** Returns a signal for responses that wait for an event (long polling). It aborts when the client disconnects. */
export function gone({ raw, request }: FastifyReply): AbortSignal {
  request.event.waits();
  const ending = new AbortController();
  raw.once('close', () => ending.abort());
  return ending.signal;
}
