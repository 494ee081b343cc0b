import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../lib/errors.ts';
import { envelope } from './envelope.ts';
import { integer, parseFields, text } from './fields.ts';

/** What part of a list is asked for: `most` names behind `after`. */
export interface Page {
  readonly after: string;
  readonly most: number;
}

/** Beyond any number of names. */
const NO_LIMIT = 2 ** 31 - 1;
const PAGE_FIELDS = { after: text(), limit: integer() };
const UNSUPPORTED_OPERATION = '1 error occurred:\n\t* unsupported operation\n\n';

type Listed = { Querystring: { list?: string } };

/** `?after=NAME&limit=N`; a limit of 0 is none. */
export function pageOf(request: FastifyRequest): Page {
  const { after = '', limit = 0 } = parseFields(PAGE_FIELDS, request.query as Record<string, unknown>).values;
  if (limit < 0) throw new AppError('bad-request', "'limit' cannot be negative");
  return { after, most: limit || NO_LIMIT };
}

/**
 * LIST, or GET with list=true: the same operation for clients that cannot send the method; with and without a slash at the
 * end. `names` authorizes before it reads. An empty list is not found, as clients expect.
 */
export function listRoutes(
  app: FastifyInstance,
  url: string,
  names: (request: FastifyRequest<Listed>) => Promise<readonly string[]>,
): void {
  const handler = async (request: FastifyRequest<Listed>) => {
    const keys = await names(request);
    if (request.method === 'GET' && request.query.list !== 'true') {
      throw new AppError('method-not-allowed', UNSUPPORTED_OPERATION);
    }
    if (keys.length === 0) throw new AppError('not-found', '');
    return envelope(request.id, { data: { keys } });
  };
  for (const one of [url, `${url}/`]) app.route<Listed>({ method: ['LIST', 'GET'], url: one, handler });
}
