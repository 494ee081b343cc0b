/** What an administrator may tune (`sys/mounts/auth/<path>/tune`). Times in seconds; 0 is that of the installation. */
export interface MountTuning {
  readonly default_lease_ttl: number;
  readonly max_lease_ttl: number;
  /** `service` and `batch` force a kind on every role; the other two are what a role gets that does not say. */
  readonly token_type: 'default-service' | 'default-batch' | 'service' | 'batch';
  /** `unauth`: shown by `sys/internal/ui/mounts` to who has no token. */
  readonly listing_visibility: '' | 'hidden' | 'unauth';
  /** Taken from clients and shown to them, like all that follows: nothing here acts on them. */
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

/** What a mount was enabled with for good. Taken from clients and shown to them: nothing here acts on it. */
export interface MountFlags {
  readonly local: boolean;
  readonly seal_wrap: boolean;
  readonly external_entropy_access: boolean;
}

export const INITIAL_FLAGS: MountFlags = { local: false, seal_wrap: false, external_entropy_access: false };

/** Where an authentication method lives, as it is at one moment. */
export interface Mount {
  readonly id: string;
  /** Without a slash at either end: `cert` is reached at `/v1/auth/cert`. */
  readonly path: string;
  /** `cert`, `jwt`, `oidc`; `token` and `system` for what is always there. */
  readonly type: string;
  /** `auth_cert_1a2b3c4d` */
  readonly accessor: string;
  readonly description: string;
  readonly tuning: MountTuning;
  readonly flags: MountFlags;
  /** Grows with every write to anything in the mount, on whichever node it was made. */
  readonly version: number;
  /** Grows with every change to the intermediates that are kept at the mount. */
  readonly intermediates: number;
  /** JSON; the method knows what it means. */
  readonly config: string;
}
