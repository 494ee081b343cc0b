import { AppError, type ErrorKind, type ErrorShape, type Issue } from '../../lib/errors.ts';
import { MEDIA_TYPE } from './document.ts';

/** Titles by kind of error, as in HCP Terraform. Some clients distinguish errors by them. */
const TITLES: Readonly<Record<ErrorKind, string>> = {
  'bad-request': 'bad request',
  unauthenticated: 'unauthorized',
  forbidden: 'forbidden',
  'not-found': 'not found',
  'method-not-allowed': 'method not allowed',
  conflict: 'conflict',
  'too-large': 'payload too large',
  'unsupported-media-type': 'unsupported media type',
  unprocessable: 'invalid attribute',
  'too-many-requests': 'Too many requests',
  unavailable: 'service unavailable',
};

interface ErrorObject {
  readonly id?: string;
  readonly status: string;
  readonly code?: string;
  readonly title: string;
  readonly detail: string;
  readonly source?: { readonly pointer: string } | { readonly parameter: string };
}

function errorObject(status: number, title: string, issue: Issue): ErrorObject {
  const object = {
    status: String(status),
    ...(issue.code !== undefined && { code: issue.code }),
    title: issue.title ?? title,
    detail: issue.detail,
  };
  if (issue.pointer !== undefined) return { ...object, source: { pointer: issue.pointer } };
  if (issue.parameter !== undefined) return { ...object, source: { parameter: issue.parameter } };
  return object;
}

/**
 * Returns JSON:API error objects (spec §7; JSON:API 1.1 §11.2): `status` is a string, and an internal error has the
 * request id.
 */
export const jsonApiErrors: ErrorShape = {
  contentType: MEDIA_TYPE,
  statuses: {},
  body(status, error, requestId) {
    if (error === undefined) {
      const detail = 'An internal error occurred. Give the request id to your administrator';
      return { errors: [{ id: requestId, status: String(status), title: 'internal server error', detail }] };
    }
    const title = error.title ?? TITLES[error.kind];
    const issues = error.issues.length > 0 ? error.issues : [{ detail: error.message }];
    return { errors: issues.map((issue) => errorObject(status, title, issue)) };
  },
};

/** Error 404: the resource does not exist or the caller may not see it. The response never reveals which (spec §7). */
export function notFound(): AppError {
  return new AppError('not-found', 'Not found, or you are not allowed to see or do this');
}

/** Error 409: the state of the resource does not allow the operation. */
export function conflict(detail: string): AppError {
  return new AppError('conflict', detail);
}

/** Error 422: one or several attributes break a rule; each issue has a pointer into the body. */
export function unprocessable(issues: readonly Issue[]): AppError {
  return new AppError('unprocessable', 'The request breaks a rule', { issues });
}

/** Issue of one attribute; `path` is below `/data/attributes/`. */
export function attributeIssue(path: string, detail: string): Issue {
  return { detail, pointer: `/data/attributes/${path}` };
}

/** Error 422 for an attribute that must be unique. */
export function alreadyTaken(attribute: string): AppError {
  const label = attribute.charAt(0).toUpperCase() + attribute.slice(1);
  return unprocessable([attributeIssue(attribute, `${label} has already been taken`)]);
}
