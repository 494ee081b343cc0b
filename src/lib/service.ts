import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AppError, ErrorShape } from './errors.ts';
import type { Target } from './request.ts';

/** What counts as what, where it is limited how often one may ask. */
export interface ServiceRate {
  /** Whose numbers hold: services of one API share them. */
  readonly of: 'access' | 'workspaces';
  /** Headers that say who asks, in lower case; the first that is there. */
  readonly credentials: readonly string[];
  /** `login`: somebody wants to come in, which is counted by address. `free`: as often as one likes. */
  kindOf(method: string, target: Target): 'request' | 'login' | 'free';
  /** What somebody is told who asks too often. */
  refusal(target: Target): string;
}

/** One of the HTTP APIs, as the server mounts it: routes under a prefix, and one shape for errors. */
export interface Service {
  readonly name: string;
  /** `/v1`; empty for one that answers `/` and nothing below. Where one lies in another, it comes before. */
  readonly prefix: string;
  readonly errors: ErrorShape;
  /** Whether it speaks JSON:API: the audit record then tells an answer by the resources in it, whose ids are no secrets. */
  readonly jsonApi?: boolean;
  /** Whether an encoded slash separates parts of a path as a plain one does: where policies compare paths as texts. */
  readonly decodesSlashes?: boolean;
  /** Whether a slash at the end of a path says nothing. Elsewhere it may: lists of the access API have one. */
  readonly ignoresLastSlash?: boolean;
  /** Absent: as often as one likes. */
  readonly rate?: ServiceRate;
  /** Declares routes, content types and hooks on an encapsulated instance; paths are relative to the prefix. */
  routes(app: FastifyInstance): void | Promise<void>;
  /** What a path without a route is told. */
  notFound(request: FastifyRequest): AppError;
}
