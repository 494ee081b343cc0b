import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import { AppError } from '../../lib/errors.ts';

/** Scope of the API's prefix, on which the domains declare routes. */
export type Api = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Members of any request that handlers may read, regardless of the route's types. */
export type AnyRequest = Pick<FastifyRequest, 'getDecorator' | 'host' | 'protocol' | 'url'>;

/** Returns the absolute URL of the request, as the client wrote it. @throws 400 for an invalid Host header */
export function urlOf(request: AnyRequest): URL {
  const url = URL.parse(request.url, `${request.protocol}://${request.host}`);
  if (url === null) throw new AppError('bad-request', 'The Host header is not a valid host name');
  return url;
}
