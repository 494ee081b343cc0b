import type { FastifyRequest } from 'fastify';
import type { RequestEvent } from '../../lib/request.ts';
import type { Reply } from '../operation/operation.ts';
import type { Pipeline } from './pipeline.ts';

/** One operation that another service of this server carries out for whoever asked it. */
export interface AskedWithin {
  readonly method: 'GET' | 'POST';
  /** Without `/v1/`: `auth/token/create`. */
  readonly path: string;
  /** A secret. Absent: for operations that need none. */
  readonly token?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/**
 * The same way as every request: no service of ours can do for somebody what their policies do not allow. The request that they
 * sent goes on to be the one that is logged and recorded.
 * @throws AppError
 */
export async function askWithin(pipeline: Pipeline, request: FastifyRequest, asked: AskedWithin): Promise<Reply> {
  const { method, path, token, data = {} } = asked;
  const admitted = await pipeline.admit({
    id: request.id,
    method,
    headers: token === undefined ? {} : { 'x-service-token': token },
    raw: { rawHeaders: [] },
    query: {},
    peer: request.peer,
    event: namesOnly(request.event),
    target: { path: `/v1/${path}`, parts: ['v1', ...path.split('/')] },
  });
  return admitted.run(data, 0);
}

/** Who it was may be said; where the request leads is known already. */
function namesOnly(event: RequestEvent): RequestEvent {
  const nothing = () => {};
  return {
    add: (fields) => event.add(fields),
    setRoute: nothing,
    showPath: nothing,
    unaudited: nothing,
    transfers: nothing,
    waits: nothing,
    endless: nothing,
  };
}
