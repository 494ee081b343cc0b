import * as texts from './texts.ts';

/** An error response of a server, in the server's words, or a failure to reach the server. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 if there was no response. */
  readonly status: number;
  /** Request id in the server's log; empty without a response. */
  readonly requestId: string;
  /** Messages about single attributes, by attribute name. */
  readonly fields: ReadonlyMap<string, string>;
  /** Error code for programs; empty for most errors. */
  readonly code: string;

  constructor(
    status: number,
    message: string,
    requestId: string,
    fields: ReadonlyMap<string, string> = new Map(),
    code = '',
  ) {
    super(message);
    this.status = status;
    this.requestId = requestId;
    this.fields = fields;
    this.code = code;
  }

  /** Whether the same request may succeed a little later. */
  get isPassing(): boolean {
    return [0, 429, 502, 503, 504].includes(this.status);
  }

  /**
   * Whether the token is not accepted, the permission is missing, or the resource was not found: the API also returns 404
   * for resources that the caller may not see.
   */
  get isRefusal(): boolean {
    return [401, 403, 404].includes(this.status);
  }
}

/** Reads the error message of either API from a response body. */
export function messageOf(body: unknown, status: number): string {
  const { errors } = (body ?? {}) as { errors?: readonly unknown[] };
  const messages = (errors ?? []).map((one) => {
    if (typeof one === 'string') return one.replace(/^\d+ errors? occurred:\s*\*?\s*/, '').trim();
    const { title, detail } = one as { title?: string; detail?: string };
    return detail ?? title ?? '';
  });
  return messages.filter(Boolean).join('; ') || texts.theServerAnsweredWithStatus(status);
}

/** Reads the error code of the workspace API or of a session request; empty if there is none. */
export function codeOf(body: unknown): string {
  const { code, errors } = (body ?? {}) as { code?: string; errors?: readonly { code?: string }[] };
  return code ?? errors?.[0]?.code ?? '';
}

/**
 * Reads the messages about single attributes from the `source.pointer` of a workspace API error. A member of an
 * attribute is also there by its path: `vcs-repo/branch`.
 */
export function fieldsOf(body: unknown): ReadonlyMap<string, string> {
  const { errors } = (body ?? {}) as { errors?: readonly unknown[] };
  const said = (errors ?? []).flatMap((one) => {
    const { detail, source } = one as { detail?: string; source?: { pointer?: string } };
    const path = source?.pointer?.match(/^\/data\/(?:attributes|relationships)\/(.+)/)?.[1];
    const [name] = path?.split('/') ?? [];
    if (!path || !name || !detail) return [];
    return path === name ? [[name, detail] as const] : [[name, detail] as const, [path, detail] as const];
  });
  return new Map(said);
}
