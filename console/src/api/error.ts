/** What a server refused, or why it could not be asked. Its words are the server's own. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** 0: there was no answer. */
  readonly status: number;
  /** Names the request in the log of the server; empty without an answer. */
  readonly requestId: string;
  /** What it says of single attributes, by their names. */
  readonly fields: ReadonlyMap<string, string>;
  /** Its word for programs; empty for most. */
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

  /** Whether the same request may well be answered a little later. */
  get isPassing(): boolean {
    return [0, 429, 502, 503, 504].includes(this.status);
  }

  /** Whether it is not there for whoever asked: what somebody may not see is said not to be there. */
  get isRefusal(): boolean {
    return [401, 403, 404].includes(this.status);
  }
}

/** What either API says in an answer that refuses. */
export function messageOf(body: unknown, status: number): string {
  const { errors } = (body ?? {}) as { errors?: readonly unknown[] };
  const texts = (errors ?? []).map((one) => {
    if (typeof one === 'string') return one.replace(/^\d+ errors? occurred:\s*\*?\s*/, '').trim();
    const { title, detail } = one as { title?: string; detail?: string };
    return detail ?? title ?? '';
  });
  return texts.filter(Boolean).join('; ') || `the server answered ${status}`;
}

/** What the workspace API calls what is wrong, where it does. */
export function codeOf(body: unknown): string {
  const { errors } = (body ?? {}) as { errors?: readonly { code?: string }[] };
  return errors?.[0]?.code ?? '';
}

/** What the workspace API says of attributes: it points into the body that it was sent. */
export function fieldsOf(body: unknown): ReadonlyMap<string, string> {
  const { errors } = (body ?? {}) as { errors?: readonly unknown[] };
  const said = (errors ?? []).flatMap((one) => {
    const { detail, source } = one as { detail?: string; source?: { pointer?: string } };
    const name = source?.pointer?.match(/^\/data\/(?:attributes|relationships)\/([^/]+)/)?.[1];
    return name && detail ? [[name, detail] as const] : [];
  });
  return new Map(said);
}
