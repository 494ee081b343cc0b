import { AppError, type ErrorKind, type ErrorShape, type Issue } from '../../lib/errors.ts';
import { MEDIA_TYPE } from './document.ts';

/** What clients of the original know each kind by; some of them tell errors apart by these words. */
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

/** JSON:API error objects (spec §7; JSON:API 1.1 §11.2): `status` is a string, and a bug carries the request's id. */
export const jsonApiErrors: ErrorShape = {
  contentType: MEDIA_TYPE,
  statuses: {},
  body(status, error, requestId) {
    if (error === undefined) {
      const detail = 'Something went wrong on our side.';
      return { errors: [{ id: requestId, status: String(status), title: 'internal server error', detail }] };
    }
    const title = error.title ?? TITLES[error.kind];
    const issues = error.issues.length > 0 ? error.issues : [{ detail: error.message }];
    return { errors: issues.map((issue) => errorObject(status, title, issue)) };
  },
};

/** Not there, or not for this caller: the two are never told apart (spec §7). */
export function notFound(): AppError {
  return new AppError('not-found', 'Not found, or you are not allowed to see or do this');
}

/** The state of the resource does not allow it: 409. */
export function conflict(detail: string): AppError {
  return new AppError('conflict', detail);
}

/** One or several attributes break a rule: 422, each with a pointer into the body. */
export function unprocessable(issues: readonly Issue[]): AppError {
  return new AppError('unprocessable', 'The request breaks a rule', { issues });
}

/** What is wrong with one attribute; `path` is below `/data/attributes/`. */
export function attributeIssue(path: string, detail: string): Issue {
  return { detail, pointer: `/data/attributes/${path}` };
}

/** The 422 for an attribute that has to be unique. */
export function alreadyTaken(attribute: string): AppError {
  const label = attribute.charAt(0).toUpperCase() + attribute.slice(1);
  return unprocessable([attributeIssue(attribute, `${label} has already been taken`)]);
}
