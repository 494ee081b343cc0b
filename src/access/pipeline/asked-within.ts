import type { FastifyRequest } from 'fastify';
import type { RequestEvent } from '../../lib/request.ts';
import type { Reply } from '../operation/operation.ts';
import type { Pipeline } from './pipeline.ts';

/** An operation that another part of the server requests on behalf of a client. */
export interface AskedWithin {
  readonly method: 'GET' | 'POST';
  /** Path without `/v1/`, such as `auth/token/create`. */
  readonly path: string;
  /** A secret. Absent for operations that need no token. */
  readonly token?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/**
 * Runs an operation through the pipeline, so that no part of the server can exceed the policies of the client's
 * token. Logs and audit log contain the client's original request.
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

/** Copies the actor to the log entry. The route stays that of the original request. */
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
