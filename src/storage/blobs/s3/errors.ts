import type { AppError } from '../../../lib/errors.ts';
import { blobsUnavailable } from '../../errors.ts';

/** What a store said, or why it said nothing: in its own words where they are a bare code. Never an address or a credential. */
export interface Failure {
  /** `NoSuchBucket`, `ECONNREFUSED`, `TimeoutError`. */
  readonly code: string;
  /** Of the answer; undefined without one. */
  readonly status: number | undefined;
}

const CODE = /^[A-Za-z0-9_]{1,60}$/;

/** Reads an error of the SDK. Its message is left out: it may quote the request, and the request names a key. */
export function failureOf(error: unknown): Failure {
  if (typeof error !== 'object' || error === null) return { code: 'unknown', status: undefined };
  const { name, code, Code, $metadata } = error as Record<string, unknown>;
  const status = ($metadata as { httpStatusCode?: unknown } | undefined)?.httpStatusCode;
  // Of a connection that failed, `name` is only `Error`.
  const candidates = typeof status === 'number' ? [Code, name] : [code, name];
  const found = candidates.find((text) => typeof text === 'string' && CODE.test(text) && text !== 'Error');
  return { code: String(found ?? 'unknown'), status: typeof status === 'number' ? status : undefined };
}

export function failureText({ code, status }: Failure): string {
  return status === undefined ? `no answer: ${code}` : `${code}, status ${status}`;
}

/** There is no such object. That the bucket is gone is something else. */
export function isMissing({ code, status }: Failure): boolean {
  return status === 404 && code !== 'NoSuchBucket';
}

/** The store does not know the header `If-None-Match` (RFC 9110 §13.1.2) of a PUT. */
export function knowsNoCondition({ code, status }: Failure): boolean {
  return status === 501 || (status === 400 && code === 'NotImplemented');
}

/** There is an object of that name. */
export function isTaken({ status }: Failure): boolean {
  return status === 412;
}

/** What a caller is told; the log has the reason. */
export function storeUnavailable(error: unknown): AppError {
  return blobsUnavailable(new Error(`the S3 store: ${failureText(failureOf(error))}`));
}
