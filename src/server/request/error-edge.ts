import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { withBareAddresses } from '../../lib/address/bare-address.ts';
import { AppError, type ErrorKind, type ErrorShape, type Issue } from '../../lib/errors.ts';
import type { RefusalText } from '../http1/client-error.ts';
import { type RequestContext, requestContextOf } from './request-context.ts';
import { withoutTokens } from './token-shape.ts';

/** Default status codes. `ErrorShape.statuses` of an API takes precedence. */
const STATUSES: Readonly<Record<ErrorKind, number>> = {
  'bad-request': 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  conflict: 409,
  'too-large': 413,
  'unsupported-media-type': 415,
  unprocessable: 422,
  'too-many-requests': 429,
  unavailable: 503,
};

/** Our messages for errors of Fastify, whose own messages repeat client input. */
const FRAMEWORK_ERRORS: Readonly<Record<string, readonly [ErrorKind, string]>> = {
  FST_ERR_BAD_URL: ['bad-request', 'the path is not a valid URL path'],
  FST_ERR_MAX_PARAM_LENGTH: ['bad-request', 'a part of the path is too long'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['too-large', 'the request body is too large'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported-media-type', 'the media type of the request body is not supported'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad-request', 'the request body is not as long as its Content-Length says'],
};
/** Ajv keywords whose message is about the enclosing object. */
const DETAILS: Readonly<Record<string, string>> = { required: 'is required', additionalProperties: 'is not known' };
/** @limit reported errors of one body or query, errors -> the others are left out */
const MAX_ISSUES = 50;

export interface Answer {
  readonly status: number;
  readonly body: string;
  /** Headers of the response, such as `content-type`. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Error format outside of both APIs. */
export const plainErrors: ErrorShape = {
  contentType: 'application/json',
  statuses: {},
  body: (_status, error) => ({ errors: [error?.message ?? 'internal error'] }),
};

/** Converts a thrown value into a response. A bug is logged in full; its response contains no details. */
export function answerTo(thrown: unknown, shape: ErrorShape, context: RequestContext, logger: Logger): Answer {
  const error = thrown instanceof AppError ? thrown : undefined;
  if (error) {
    const cause = error.cause instanceof Error ? { cause: logged(error.cause.message) } : {};
    context.add({ ...error.context, ...cause, error_kind: error.kind, error: logged(error.logged) });
  } else {
    logger.error({ request_id: context.id, err: thrown }, 'unexpected error');
  }
  const status = error ? (shape.statuses[error.kind] ?? STATUSES[error.kind]) : 500;
  const body = shape.body(status, error, context.id);
  return { status, body: written(body), headers: { 'content-type': shape.contentType, ...headersOf(error) } };
}

function headersOf(error: AppError | undefined): Readonly<Record<string, string>> {
  return {
    ...(error?.retryAfter !== undefined && { 'retry-after': String(error.retryAfter) }),
    ...(error?.allow && { allow: error.allow.join(', ') }),
  };
}

/** URLs from tenants may contain secrets, so they are removed too. */
const logged = (text: string): string => withBareAddresses(withoutTokens(text));

/** Returns the response to bytes that are not HTTP: the name of the status or the error, in the format of the API. */
export function refusalText(
  status: number,
  shape: ErrorShape,
  requestId: string,
  error = new AppError('bad-request', STATUS_CODES[status] ?? ''),
): RefusalText {
  return { requestId, contentType: shape.contentType, body: written(shape.body(status, error, requestId)) };
}

const written = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

/** Fastify error handler for one error format. */
export function errorHandler(shape: ErrorShape, logger: Logger) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const answer = answerTo(toAppError(thrown, request), shape, requestContextOf(request.raw), logger);
    const { status, headers, body } = answer;
    // Fastify closes the connection after an invalid body. That is needed only while the body is still arriving, and
    // not in HTTP/2.
    if (request.raw.complete || request.raw.httpVersionMajor === 2) reply.removeHeader('connection');
    // Uses a serializer, because Fastify would otherwise add a charset to JSON types, which have none (RFC 8259 §11).
    return reply.code(status).headers(headers).serializer(String).send(body);
  };
}

/** Converts client errors of Fastify. Returns other values unchanged. */
function toAppError(thrown: unknown, request: FastifyRequest): unknown {
  if (!(thrown instanceof Error) || thrown instanceof AppError) return thrown;
  const error = thrown as FastifyError;
  if (error.validation) return validationError(error);
  const known = FRAMEWORK_ERRORS[error.code];
  if (known) return new AppError(...known);
  if (!request.raw.complete && error.statusCode === 400) return new AppError('bad-request', 'the request was aborted');
  return thrown;
}

type SchemaError = NonNullable<FastifyError['validation']>[number];

/** A schema violation in the body is `unprocessable`; in query, path or headers it is `bad-request`. */
function validationError({ validation = [], validationContext }: FastifyError): AppError {
  const isBody = validationContext === 'body';
  const issues = validation.slice(0, MAX_ISSUES).map((error): Issue => {
    const pointer = pointerOf(error);
    const detail = DETAILS[error.keyword] ?? error.message ?? 'is not valid';
    return isBody ? { detail, pointer } : { detail, parameter: parameterOf(pointer) };
  });
  const texts = issues.map(
    ({ detail, pointer, parameter }) => `${(parameter ?? pointer) || 'the request body'} ${detail}`,
  );
  return new AppError(isBody ? 'unprocessable' : 'bad-request', texts.join('; '), { issues });
}

/** Names a missing or unknown member instead of its enclosing object. */
function pointerOf({ instancePath, params }: SchemaError): string {
  const member = params.missingProperty ?? params.additionalProperty;
  return typeof member === 'string'
    ? `${instancePath}/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`
    : instancePath;
}

function parameterOf(pointer: string): string {
  return pointer.slice(1).replaceAll('~1', '/').replaceAll('~0', '~');
}
