import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AppError, ErrorShape } from './errors.ts';
import type { Target } from './request.ts';

/** How the requests of a service count for its rate limits. */
export interface ServiceRate {
  /** Services of the same API share their counters. */
  readonly of: 'access' | 'workspaces';
  /** Headers with credentials, in lower case; the first one present identifies the caller. */
  readonly credentials: readonly string[];
  /** `login` requests authenticate and are counted by IP address. `free` requests are not limited. */
  kindOf(method: string, target: Target): 'request' | 'login' | 'free';
  /** Returns the error message for a caller above the limit. */
  refusal(target: Target): string;
}

/** One of the HTTP APIs as the server mounts it: routes under a prefix, and one error format. */
export interface Service {
  readonly name: string;
  /**
   * Prefix such as `/v1`; empty for a service that handles only `/`. If one prefix contains another, the longer one
   * comes first.
   */
  readonly prefix: string;
  readonly errors: ErrorShape;
  /**
   * Whether the service uses JSON:API. The audit log then shows the IDs of the resources in a response, which are not
   * secrets.
   */
  readonly jsonApi?: boolean;
  /** Whether an encoded slash separates path parts like a plain one. True where policies compare paths as texts. */
  readonly decodesSlashes?: boolean;
  /** Whether a trailing slash is ignored. In the access API it is significant: list operations have one. */
  readonly ignoresLastSlash?: boolean;
  /** Rate limit of the service. Absent if its requests are not limited. */
  readonly rate?: ServiceRate;
  /** Declares routes, content types and hooks on an encapsulated instance; paths are relative to the prefix. */
  routes(app: FastifyInstance): void | Promise<void>;
  /** Returns the error for a path without a route. */
  notFound(request: FastifyRequest): AppError;
}
