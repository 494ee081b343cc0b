import type { FastifyReply } from 'fastify';

/** Aborted when there is nobody any more to be answered. */
export function gone({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const ending = new AbortController();
  raw.once('close', () => ending.abort());
  return ending.signal;
}
