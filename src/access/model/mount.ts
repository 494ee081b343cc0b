/** Tuning of a mount (`sys/mounts/auth/<path>/tune`). Times are in seconds; 0 means the server default. */
export interface MountTuning {
  readonly default_lease_ttl: number;
  readonly max_lease_ttl: number;
  /** `service` and `batch` override every role. The other two are the default for roles that do not set a type. */
  readonly token_type: 'default-service' | 'default-batch' | 'service' | 'batch';
  /** `unauth`: listed by `sys/internal/ui/mounts` without a token. */
  readonly listing_visibility: '' | 'hidden' | 'unauth';
  /** Stored and returned for compatibility, like all following fields. They have no effect. */
  readonly options: Readonly<Record<string, string>> | null;
  readonly force_no_cache: boolean;
  readonly audit_non_hmac_request_keys: readonly string[];
  readonly audit_non_hmac_response_keys: readonly string[];
  readonly passthrough_request_headers: readonly string[];
  readonly allowed_response_headers: readonly string[];
}

export const INITIAL_TUNING: MountTuning = {
  default_lease_ttl: 0,
  max_lease_ttl: 0,
  token_type: 'default-service',
  listing_visibility: '',
  options: null,
  force_no_cache: false,
  audit_non_hmac_request_keys: [],
  audit_non_hmac_response_keys: [],
  passthrough_request_headers: [],
  allowed_response_headers: [],
};

/** Flags set when a mount is enabled. Stored and returned for compatibility; no effect. */
export interface MountFlags {
  readonly local: boolean;
  readonly seal_wrap: boolean;
  readonly external_entropy_access: boolean;
}

export const INITIAL_FLAGS: MountFlags = { local: false, seal_wrap: false, external_entropy_access: false };

/** An auth method at a path, at one time. */
export interface Mount {
  readonly id: string;
  /** Without leading and trailing slash: `cert` is reached at `/v1/auth/cert`. */
  readonly path: string;
  /** `cert`, `jwt` or `oidc`; `token` and `system` for fixed mounts. */
  readonly type: string;
  /** Accessor of the mount, such as `auth_cert_1a2b3c4d`. */
  readonly accessor: string;
  readonly description: string;
  readonly tuning: MountTuning;
  readonly flags: MountFlags;
  /** Incremented by every write to anything in the mount, on any node. */
  readonly version: number;
  /** Incremented by every change to the mount's stored intermediates. */
  readonly intermediates: number;
  /** Configuration as JSON in the method's own format. */
  readonly config: string;
}
