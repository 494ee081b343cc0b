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

/** Below the prefix of the service; routes of the domains are declared on it. */
export type Api = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** What a handler may read of any request, whatever the types of its route. */
export type AnyRequest = Pick<FastifyRequest, 'getDecorator' | 'host' | 'protocol' | 'url'>;

/** The absolute address of the request, as the client wrote it. @throws 400 when its Host header is none. */
export function urlOf(request: AnyRequest): URL {
  const url = URL.parse(request.url, `${request.protocol}://${request.host}`);
  if (url === null) throw new AppError('bad-request', 'The Host header is not the name of a host');
  return url;
}
