/** The `auth` block of a login and a renewal (spec §2.5), with further fields that official clients read. */
export interface AuthBlock {
  readonly client_token: string;
  readonly accessor: string;
  readonly policies: readonly string[];
  readonly token_policies: readonly string[];
  /** Policies of the token's entity. Absent if there are none. */
  readonly identity_policies?: readonly string[];
  readonly metadata: Readonly<Record<string, string>> | null;
  /** Lifetime of the token, seconds. */
  readonly lease_duration: number;
  readonly renewable: boolean;
  readonly entity_id: string;
  readonly token_type: string;
  readonly orphan: boolean;
  readonly mfa_requirement: null;
  readonly num_uses: number;
}

/** Replaces a wrapped response: a single-use token for it. */
export interface WrapInfo {
  readonly token: string;
  readonly accessor: string;
  /** Lifetime of the wrapping token, seconds. */
  readonly ttl: number;
  /** Creation time (RFC 3339). */
  readonly creation_time: string;
  /** Path of the request, such as `auth/cert/login`. */
  readonly creation_path: string;
  /** Accessor of the wrapped token, if the response is a login. */
  readonly wrapped_accessor?: string;
}

interface Content {
  readonly wrapInfo?: WrapInfo;
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly auth?: AuthBlock | null;
  readonly warnings?: readonly string[];
}

/** Returns the response envelope of every JSON response of the access API (spec §2.1). */
export function envelope(requestId: string, content: Content): Record<string, unknown> {
  return {
    request_id: requestId,
    lease_id: '',
    renewable: false,
    lease_duration: 0,
    data: content.data ?? null,
    wrap_info: content.wrapInfo ?? null,
    warnings: content.warnings?.length ? content.warnings : null,
    auth: content.auth ?? null,
  };
}
