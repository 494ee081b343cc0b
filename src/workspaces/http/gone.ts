import type { FastifyReply } from 'fastify';

/** For an answer that waits for something to happen: aborted when there is nobody any more to be answered. */
export function gone({ raw, request }: FastifyReply): AbortSignal {
  request.event.waits();
  const ending = new AbortController();
  raw.once('close', () => ending.abort());
  return ending.signal;
}
