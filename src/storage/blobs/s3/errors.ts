import type { AppError } from '../../../lib/errors.ts';
import { blobsUnavailable } from '../../errors.ts';

/** An error of the store or the connection, by its code. Never a URL or a credential. */
export interface Failure {
  /** Code such as `NoSuchBucket`, `ECONNREFUSED` or `TimeoutError`. */
  readonly code: string;
  /** HTTP status; undefined without a response. */
  readonly status: number | undefined;
}

const CODE = /^[A-Za-z0-9_]{1,60}$/;

/**
 * Reads an error of the SDK. Its message is dropped, because it may quote the request, which contains the access key.
 */
export function failureOf(error: unknown): Failure {
  if (typeof error !== 'object' || error === null) return { code: 'unknown', status: undefined };
  const { name, code, Code, $metadata } = error as Record<string, unknown>;
  const status = ($metadata as { httpStatusCode?: unknown } | undefined)?.httpStatusCode;
  // For a failed connection `name` is only `Error`.
  const candidates = typeof status === 'number' ? [Code, name] : [code, name];
  const found = candidates.find((text) => typeof text === 'string' && CODE.test(text) && text !== 'Error');
  return { code: String(found ?? 'unknown'), status: typeof status === 'number' ? status : undefined };
}

export function failureText({ code, status }: Failure): string {
  return status === undefined ? `no answer: ${code}` : `${code}, status ${status}`;
}

/** Returns whether the object does not exist. A missing bucket is another error. */
export function isMissing({ code, status }: Failure): boolean {
  return status === 404 && code !== 'NoSuchBucket';
}

/** Returns whether the store does not support `If-None-Match` (RFC 9110 §13.1.2) in a PUT. */
export function knowsNoCondition({ code, status }: Failure): boolean {
  return status === 501 || (status === 400 && code === 'NotImplemented');
}

/** Returns whether an object with this name exists. */
export function isTaken({ status }: Failure): boolean {
  return status === 412;
}

/** Returns the error for the caller; the reason is only in the log. */
export function storeUnavailable(error: unknown): AppError {
  return blobsUnavailable(new Error(`the S3 store: ${failureText(failureOf(error))}`));
}
