import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { withBareAddresses } from '../../lib/address/bare-address.ts';
import { AppError, type ErrorKind, type ErrorShape, type Issue } from '../../lib/errors.ts';
import type { RefusalText } from '../http1/client-error.ts';
import { type RequestContext, requestContextOf } from './request-context.ts';
import { withoutTokens } from './token-shape.ts';

/** The common table; an API's own `ErrorShape.statuses` go before it. */
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

/** What Fastify itself finds wrong, in texts of ours: its own repeat what the client sent. */
const FRAMEWORK_ERRORS: Readonly<Record<string, readonly [ErrorKind, string]>> = {
  FST_ERR_BAD_URL: ['bad-request', 'the path is not a valid URL path'],
  FST_ERR_MAX_PARAM_LENGTH: ['bad-request', 'a part of the path is too long'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['too-large', 'the request body is too large'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported-media-type', 'the media type of the request body is not supported'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad-request', 'the request body is not as long as its Content-Length says'],
};
/** Where Ajv's own words name the object around what is wrong. */
const DETAILS: Readonly<Record<string, string>> = { required: 'is required', additionalProperties: 'is not known' };
/** @limit errors told about one body or query, errors -> the others are left out */
const MAX_ISSUES = 50;

export interface Answer {
  readonly status: number;
  readonly body: string;
  /** `content-type`, and what else the error says in headers. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Where there is no API that would have a shape of its own. */
export const plainErrors: ErrorShape = {
  contentType: 'application/json',
  statuses: {},
  body: (_status, error) => ({ errors: [error?.message ?? 'internal error'] }),
};

/** Turns whatever was thrown into an answer. A bug is logged in full and answered without details. */
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

/** Addresses that others name may hold what their owners know us by, too. */
const logged = (text: string): string => withBareAddresses(withoutTokens(text));

/** Returns the answer to bytes that are not HTTP: the name of the status or the error, in the format of the API. */
export function refusalText(
  status: number,
  shape: ErrorShape,
  requestId: string,
  error = new AppError('bad-request', STATUS_CODES[status] ?? ''),
): RefusalText {
  return { requestId, contentType: shape.contentType, body: written(shape.body(status, error, requestId)) };
}

const written = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

/** Fastify's error handler for one shape of errors. */
export function errorHandler(shape: ErrorShape, logger: Logger) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const answer = answerTo(toAppError(thrown, request), shape, requestContextOf(request.raw), logger);
    const { status, headers, body } = answer;
    // Fastify closes the connection after a body it did not like: needed only while the body is still coming, and not in HTTP/2.
    if (request.raw.complete || request.raw.httpVersionMajor === 2) reply.removeHeader('connection');
    // Without a serializer of its own Fastify adds a charset to types of JSON, which have none (RFC 8259 §11).
    return reply.code(status).headers(headers).serializer(String).send(body);
  };
}

/** The client's errors among Fastify's; anything else as it is. */
function toAppError(thrown: unknown, request: FastifyRequest): unknown {
  if (!(thrown instanceof Error) || thrown instanceof AppError) return thrown;
  const error = thrown as FastifyError;
  if (error.validation) return validationError(error);
  const known = FRAMEWORK_ERRORS[error.code];
  if (known) return new AppError(...known);
  if (!request.raw.complete && error.statusCode === 400)
    return new AppError('bad-request', 'the request was cut short');
  return thrown;
}

type SchemaError = NonNullable<FastifyError['validation']>[number];

/** A body that breaks its schema cannot be processed; a query, a path or a header that does is a bad request. */
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

/** A missing or unknown member is named itself, not the object around it. */
function pointerOf({ instancePath, params }: SchemaError): string {
  const member = params.missingProperty ?? params.additionalProperty;
  return typeof member === 'string'
    ? `${instancePath}/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`
    : instancePath;
}

function parameterOf(pointer: string): string {
  return pointer.slice(1).replaceAll('~1', '/').replaceAll('~0', '~');
}
