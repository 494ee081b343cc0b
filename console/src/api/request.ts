import { parseExactJson } from '../../../src/lib/exact-json/exact-json.ts';
import { hearTime } from './clock.ts';
import { ApiError, codeOf, fieldsOf, messageOf } from './error.ts';
import * as texts from './texts.ts';

/** A request as it is sent, and as the bottom of a page shows it. */
export interface Request {
  readonly method: string;
  /** Path and query of the request. */
  readonly address: string;
  readonly body?: unknown;
  /** Headers of this request, in addition to those of every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Parameters of an operation. */
export interface Input {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

/** CSRF protection: a form of another site cannot set this header, and the server ignores the session without it. */
export const MARK = { 'x-lockkeeper-console': '1' };

/** @param operation such as `GET /organizations/{organization_name}/workspaces` */
export function requestOf(prefix: string, operation: string, { path = {}, query = {}, body }: Input): Request {
  const [method = '', pattern = ''] = operation.split(' ');
  const place = pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const given = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value] as const] : []));
  // Brackets are not encoded, because users see and copy the URL.
  const search = given.map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`).join('&');
  return { method, address: `${prefix}${place}${search && `?${search}`}`, ...(body !== undefined && { body }) };
}

/** @throws ApiError */
export async function send({ method, address, body, headers: more }: Request, signal?: AbortSignal): Promise<unknown> {
  const type = address.startsWith('/api/') ? 'application/vnd.api+json' : 'application/json';
  const headers = { ...MARK, accept: type, ...(body !== undefined && { 'content-type': type }), ...more };
  const init = {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  };
  const response = await fetch(address, init).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError(0, texts.serverUnreachable, '');
  });
  hearTime(response.headers.get('date'));
  const answer = await contentOf(response);
  if (response.ok) return answer;
  const id = response.headers.get('x-request-id') ?? '';
  throw new ApiError(response.status, messageOf(answer, response.status), id, fieldsOf(answer), codeOf(answer));
}

async function contentOf(response: Response): Promise<unknown> {
  if (!/json/.test(response.headers.get('content-type') ?? '')) return undefined;
  const text = await response.text();
  return text === '' ? undefined : parseExactJson(text);
}
