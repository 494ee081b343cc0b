import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  ContextConfigDefault,
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  FastifySchema,
  HTTPMethods,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteGenericInterface,
  RouteHandlerMethod,
  RouteShorthandOptions,
} from 'fastify';
import { AppError } from '../../lib/errors.ts';
import type { Answered } from '../openapi/answer.ts';

type Handler<Schema extends FastifySchema> = RouteHandlerMethod<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  RouteGenericInterface,
  ContextConfigDefault,
  Schema,
  TypeBoxTypeProvider,
  FastifyBaseLogger
>;
type Options<Schema extends FastifySchema> = RouteShorthandOptions<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  RouteGenericInterface,
  ContextConfigDefault,
  Schema,
  TypeBoxTypeProvider,
  FastifyBaseLogger
>;

type Declare<Described> = <const Schema extends FastifySchema>(
  path: string,
  options: Options<Schema> & Described,
  handler: Handler<Schema>,
) => void;

/** Scope of the API's prefix, on which the domains declare routes. */
export interface Api {
  readonly get: Declare<Answered>;
  readonly post: Declare<Answered>;
  readonly patch: Declare<Answered>;
  readonly put: Declare<Answered>;
  /** Without another answer, a deletion returns 204. */
  readonly delete: Declare<Partial<Answered>>;
  /** Opens a scope with its own hooks or parsers. */
  readonly register: (declare: (scope: FastifyInstance) => Promise<void>) => void;
  /** Declares a route with several methods. */
  readonly route: <const Schema extends FastifySchema>(
    route: Options<Schema> &
      Answered & {
        readonly method: HTTPMethods | HTTPMethods[];
        readonly url: string;
        readonly handler: Handler<NoInfer<Schema>>;
      },
  ) => void;
}

/** Returns the scope for the declaration of routes. */
export function apiOf(scope: FastifyInstance): Api {
  return scope.withTypeProvider<TypeBoxTypeProvider>() as unknown as Api;
}

/** Members of any request that handlers may read, regardless of the route's types. */
export type AnyRequest = Pick<FastifyRequest, 'getDecorator' | 'host' | 'protocol' | 'url'>;

/** Returns the absolute URL of the request, as the client wrote it. @throws 400 for an invalid Host header */
export function urlOf(request: AnyRequest): URL {
  const url = URL.parse(request.url, `${request.protocol}://${request.host}`);
  if (url === null) throw new AppError('bad-request', 'The Host header is not a valid host name');
  return url;
}
