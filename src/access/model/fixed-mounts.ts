/** A mount that always exists and can be neither disabled nor moved. */
export interface FixedMount {
  /** Path, such as `sys` or `auth/token`. */
  readonly prefix: string;
  readonly type: string;
  readonly accessor: string;
  readonly description: string;
}

export const TOKEN_MOUNT: FixedMount = {
  prefix: 'auth/token',
  type: 'token',
  accessor: 'auth_token',
  description: 'token based credentials',
};

export const SYSTEM_MOUNT: FixedMount = {
  prefix: 'sys',
  type: 'system',
  accessor: 'system',
  description: 'system endpoints used for control, policy and debugging',
};

export const IDENTITY_MOUNT: FixedMount = {
  prefix: 'identity',
  type: 'identity',
  accessor: 'identity',
  description: 'identity store',
};

/** Path at which tools expect an OpenAPI document. */
export const OPENAPI_MOUNT: FixedMount = {
  prefix: 'openapi.json',
  type: 'openapi',
  accessor: 'openapi',
  description: '',
};

/** Mounts outside of `auth/`, as lists of secrets engines show them. Lockkeeper has no secrets engines. */
export const NON_AUTH_MOUNTS: readonly FixedMount[] = [IDENTITY_MOUNT, SYSTEM_MOUNT];
