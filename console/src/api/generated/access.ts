// Made of the OpenAPI document by `node build/generate-console-api.ts`; do not edit by hand.

export interface Schemas {
  AclPolicy: {
    name: string;
    policy: string;
    version: number;
    cas_required: boolean;
    allow_wildcards_in_identity_templates: boolean;
    allow_slashes_in_identity_templates: boolean;
    expiration?: string;
    modified?: string;
  };
  AclPolicyAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['AclPolicy'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  AclPolicyList: {
    keys: readonly (string)[];
    key_info: Readonly<Record<string, Schemas['AclPolicy']>>;
  };
  AclPolicyListAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['AclPolicyList'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  Alias: {
    canonical_id: string;
    creation_time: string;
    custom_metadata: Readonly<Record<string, string>> | null;
    id: string;
    last_update_time: string;
    local: boolean;
    merged_from_canonical_ids: readonly (string)[] | null;
    metadata: Readonly<Record<string, string>> | null;
    mount_accessor: string;
    mount_path: string;
    mount_type: string;
    name: string;
    namespace_id: string;
  };
  AliasAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['Alias'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  AliasInfo: {
    canonical_id: string;
    custom_metadata: Readonly<Record<string, string>> | null;
    local: boolean;
    metadata: Readonly<Record<string, string>> | null;
    name: string;
    mount_accessor: string;
    mount_path: string;
    mount_type: string;
  };
  AliasInfoList: {
    keys: readonly (string)[];
    key_info: Readonly<Record<string, Schemas['AliasInfo']>>;
  };
  AliasInfoListAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['AliasInfoList'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  AnyAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Readonly<Record<string, unknown>> | null;
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Schemas['Auth'] | null;
  };
  AuditDevice: {
    type: string;
    path: string;
    description: string;
    local: boolean;
    options: Readonly<Record<string, string>>;
  };
  AuditDevices: Readonly<Record<string, Schemas['AuditDevice']>>;
  AuditFailure: {
    ok: boolean;
    detail: string;
  };
  AuditHash: {
    hash: string;
  };
  AuditLines: {
    records: readonly (Readonly<Record<string, unknown>>)[];
    next: string | null;
    node: string;
    looked_back_to: string | null;
    looked_at: number;
    compressed: readonly (string)[];
  };
  AuditLinesAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['AuditLines'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  AuditingCalculateHashRequest: {
    input?: string;
  };
  Auth: {
    client_token: string;
    accessor: string;
    policies: readonly (string)[];
    token_policies: readonly (string)[];
    identity_policies?: readonly (string)[];
    metadata: Readonly<Record<string, string>> | null;
    lease_duration: number;
    renewable: boolean;
    entity_id: string;
    token_type: string;
    orphan: boolean;
    mfa_requirement: Readonly<Record<string, unknown>> | null;
    num_uses: number;
  };
  AuthAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Readonly<Record<string, unknown>> | null;
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Schemas['Auth'];
  };
  AuthEnableMethodRequest: {
    type?: string;
    description?: string;
    config?: Readonly<Record<string, unknown>>;
    options?: Readonly<Record<string, unknown>>;
    local?: boolean;
    seal_wrap?: boolean;
    external_entropy_access?: boolean;
  };
  AuthTuneConfigurationParametersRequest: {
    description?: string;
    default_lease_ttl?: string;
    max_lease_ttl?: string;
    token_type?: string;
    listing_visibility?: string;
    options?: Readonly<Record<string, unknown>>;
    force_no_cache?: boolean;
    audit_non_hmac_request_keys?: readonly (string)[];
    audit_non_hmac_response_keys?: readonly (string)[];
    passthrough_request_headers?: readonly (string)[];
    allowed_response_headers?: readonly (string)[];
  };
  Capabilities: Readonly<Record<string, readonly (string)[]>>;
  CertConfig: {
    disable_binding: boolean;
    enable_identity_alias_metadata: boolean;
    ocsp_cache_size: number;
    role_cache_size: number;
    alias_source: string;
    strict_dns_names: boolean;
    strict_dns_patterns: boolean;
  };
  CertConfigAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['CertConfig'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  CertConfigureRequest: {
    disable_binding?: boolean;
    enable_identity_alias_metadata?: boolean;
    ocsp_cache_size?: number;
    role_cache_size?: number;
    alias_source?: string;
    strict_dns_names?: boolean;
    strict_dns_patterns?: boolean;
  };
  CertDescription: {
    subject: string;
    issuer: string;
    serial_number: string;
    not_before: string;
    not_after: string;
    common_name: string | null;
    dns_sans: readonly (string)[];
    email_sans: readonly (string)[];
    uri_sans: readonly (string)[];
    ip_sans: readonly (string)[];
    other_sans: readonly (string)[];
    organizational_units: readonly (string)[];
    extended_key_usage: readonly (string)[] | null;
    fingerprint: string;
  };
  CertExplainLoginRequest: {
    name?: string;
    certificate?: string;
    address?: string;
  };
  CertExplainedPath: {
    certificates: readonly (string)[];
    admitted: boolean;
    verdicts: readonly (Schemas['CertVerdict'])[];
  };
  CertExplainedRole: {
    role: string;
    admitted: boolean;
    paths: readonly (Schemas['CertExplainedPath'])[];
    rejected: readonly (Schemas['CertVerdict'])[];
    groups: readonly (string)[];
    warnings: readonly (string)[];
  };
  CertExplanation: {
    certificates: readonly (Schemas['CertDescription'])[];
    alias_name: string;
    admitted: boolean;
    role: string | null;
    error: string | null;
    verdicts: readonly (Schemas['CertVerdict'])[];
    roles: readonly (Schemas['CertExplainedRole'])[];
    roles_left_out: number;
  };
  CertExplanationAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['CertExplanation'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  CertLoginRequest: {
    name?: string;
  };
  CertRole: {
    certificate: string;
    display_name: string;
    allowed_names: readonly (string)[] | null;
    allowed_common_names: readonly (string)[] | null;
    allowed_dns_sans: readonly (string)[] | null;
    allowed_email_sans: readonly (string)[] | null;
    allowed_uri_sans: readonly (string)[] | null;
    allowed_organizational_units: readonly (string)[] | null;
    allowed_organizations: readonly (string)[] | null;
    allowed_ip_sans: readonly (string)[] | null;
    allowed_other_sans: readonly (string)[] | null;
    allowed_subject_attributes: readonly (string)[] | null;
    extended_key_usage: readonly (string)[];
    required_extensions: readonly (string)[] | null;
    allowed_metadata_extensions: readonly (string)[] | null;
    group_sources: readonly (string)[];
    ocsp_enabled: boolean;
    ocsp_ca_certificates: string;
    ocsp_servers_override: readonly (string)[] | null;
    ocsp_fail_open: boolean;
    ocsp_this_update_max_age: number;
    ocsp_max_retries: number;
    ocsp_query_all_servers: boolean;
    token_bound_cidrs: readonly (string)[];
    token_explicit_max_ttl: number;
    token_max_ttl: number;
    token_no_default_policy: boolean;
    token_num_uses: number;
    token_period: number;
    token_policies: readonly (string)[];
    token_strictly_bind_ip: boolean;
    token_ttl: number;
    token_type: string;
    policies?: readonly (string)[];
    ttl?: number;
    max_ttl?: number;
    period?: number;
    bound_cidrs?: readonly (string)[];
  };
  CertRoleAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['CertRole'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  CertRoleAuthority: {
    subject: string;
    not_after: string;
  };
  CertRoleInfo: {
    certificate: string;
    display_name: string;
    allowed_names: readonly (string)[] | null;
    allowed_common_names: readonly (string)[] | null;
    allowed_dns_sans: readonly (string)[] | null;
    allowed_email_sans: readonly (string)[] | null;
    allowed_uri_sans: readonly (string)[] | null;
    allowed_organizational_units: readonly (string)[] | null;
    allowed_organizations: readonly (string)[] | null;
    allowed_ip_sans: readonly (string)[] | null;
    allowed_other_sans: readonly (string)[] | null;
    allowed_subject_attributes: readonly (string)[] | null;
    extended_key_usage: readonly (string)[];
    required_extensions: readonly (string)[] | null;
    allowed_metadata_extensions: readonly (string)[] | null;
    group_sources: readonly (string)[];
    ocsp_enabled: boolean;
    ocsp_ca_certificates: string;
    ocsp_servers_override: readonly (string)[] | null;
    ocsp_fail_open: boolean;
    ocsp_this_update_max_age: number;
    ocsp_max_retries: number;
    ocsp_query_all_servers: boolean;
    token_bound_cidrs: readonly (string)[];
    token_explicit_max_ttl: number;
    token_max_ttl: number;
    token_no_default_policy: boolean;
    token_num_uses: number;
    token_period: number;
    token_policies: readonly (string)[];
    token_strictly_bind_ip: boolean;
    token_ttl: number;
    token_type: string;
    policies?: readonly (string)[];
    ttl?: number;
    max_ttl?: number;
    period?: number;
    bound_cidrs?: readonly (string)[];
    authorities: readonly (Schemas['CertRoleAuthority'])[];
  };
  CertRoleInfoList: {
    keys: readonly (string)[];
    key_info?: Readonly<Record<string, Schemas['CertRoleInfo']>>;
  };
  CertRoleInfoListAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['CertRoleInfoList'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  CertVerdict: {
    check: string;
    outcome: 'passed' | 'refused';
    certificate?: Schemas['CertVerdictPlace'];
    expected: string;
    actual: string;
    hint?: string;
  };
  CertVerdictPlace: {
    index: number;
    subject: string;
  };
  CertWriteCertificateRequest: {
    certificate?: string;
    display_name?: string;
    allowed_names?: readonly (string)[];
    allowed_common_names?: readonly (string)[];
    allowed_dns_sans?: readonly (string)[];
    allowed_email_sans?: readonly (string)[];
    allowed_uri_sans?: readonly (string)[];
    allowed_organizational_units?: readonly (string)[];
    allowed_organizations?: readonly (string)[];
    allowed_ip_sans?: readonly (string)[];
    allowed_other_sans?: readonly (string)[];
    allowed_subject_attributes?: readonly (string)[];
    extended_key_usage?: readonly (string)[];
    required_extensions?: readonly (string)[];
    allowed_metadata_extensions?: readonly (string)[];
    group_sources?: readonly (string)[];
    ocsp_enabled?: boolean;
    ocsp_ca_certificates?: string;
    ocsp_servers_override?: readonly (string)[];
    ocsp_fail_open?: boolean;
    ocsp_this_update_max_age?: string;
    ocsp_max_retries?: number;
    ocsp_query_all_servers?: boolean;
    token_bound_cidrs?: readonly (string)[];
    token_explicit_max_ttl?: string;
    token_max_ttl?: string;
    token_no_default_policy?: boolean;
    token_num_uses?: number;
    token_period?: string;
    token_policies?: readonly (string)[];
    token_strictly_bind_ip?: boolean;
    token_ttl?: string;
    token_type?: string;
    policies?: readonly (string)[];
    ttl?: string;
    max_ttl?: string;
    period?: string;
    bound_cidrs?: readonly (string)[];
    lease?: string;
  };
  CertWriteCrlRequest: {
    crl?: string;
    url?: string;
    on_stale?: string;
    on_unknown_issuer?: string;
  };
  ClashingAlias: {
    alias: string;
    entity: string;
    entity_id: string;
    mount: string;
    mount_path: string;
  };
  Cors: {
    enabled: boolean;
  };
  CorsAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['Cors'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  Crl: {
    issuer: string;
    crl_number: string | null;
    this_update: string;
    next_update: string | null;
    entries: number;
    cdp: Schemas['CrlDistributionPoint'] | null;
    on_stale: 'use' | 'refuse';
    on_unknown_issuer: 'match_serial' | 'ignore';
    status: Schemas['CrlStatus'];
    serials: Readonly<Record<string, Schemas['Nothing']>>;
  };
  CrlAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['Crl'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  CrlDistributionPoint: {
    url: string;
    valid_until: string | null;
  };
  CrlInfo: {
    issuer: string;
    crl_number: string | null;
    this_update: string;
    next_update: string | null;
    entries: number;
    cdp: Schemas['CrlDistributionPoint'] | null;
    on_stale: 'use' | 'refuse';
    on_unknown_issuer: 'match_serial' | 'ignore';
    status: Schemas['CrlStatus'];
  };
  CrlInfoList: {
    keys: readonly (string)[];
    key_info?: Readonly<Record<string, Schemas['CrlInfo']>>;
  };
  CrlInfoListAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['CrlInfoList'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  CrlStatus: {
    signature: 'verified' | 'unknown-issuer' | 'invalid';
    signature_fault: string | null;
    stale: boolean;
    fetched_at: string;
    age: number;
    last_error: string | null;
    failures: number;
    next_fetch: string | null;
  };
  DroppedPolicyBlock: {
    policy: string;
    path: string;
    line: number;
    because: string;
  };
  Entity: {
    aliases: readonly (Schemas['EntityAlias'])[];
    creation_time: string;
    direct_group_ids: readonly (string)[];
    disabled: boolean;
    group_ids: readonly (string)[];
    id: string;
    inherited_group_ids: readonly (string)[];
    last_update_time: string;
    merged_entity_ids: readonly (string)[] | null;
    metadata: Readonly<Record<string, string>>;
    name: string;
    namespace_id: string;
    policies: readonly (string)[];
  };
  EntityAlias: {
    canonical_id: string;
    creation_time: string;
    custom_metadata: Readonly<Record<string, string>> | null;
    id: string;
    last_update_time: string;
    local: boolean;
    merged_from_canonical_ids: readonly (string)[] | null;
    metadata: Readonly<Record<string, string>> | null;
    mount_accessor: string;
    mount_path: string;
    mount_type: string;
    name: string;
  };
  EntityAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['Entity'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  EntityAnswerOrNothing: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['Entity'] | null;
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  EntityBatchDeleteRequest: {
    entity_ids?: readonly (string)[];
  };
  EntityCreateAliasRequest: {
    id?: string;
    name?: string;
    canonical_id?: string;
    entity_id?: string;
    mount_accessor?: string;
    custom_metadata?: Readonly<Record<string, unknown>>;
  };
  EntityCreateRequest: {
    id?: string;
    name?: string;
    metadata?: Readonly<Record<string, unknown>>;
    policies?: readonly (string)[];
    disabled?: boolean;
  };
  EntityInfo: {
    name: string;
    disabled: boolean;
    aliases: readonly (Schemas['EntityInfoAlias'])[];
  };
  EntityInfoAlias: {
    id: string;
    canonical_id: string;
    name: string;
    mount_accessor: string;
    mount_path: string;
    mount_type: string;
  };
  EntityInfoList: {
    keys: readonly (string)[];
    key_info: Readonly<Record<string, Schemas['EntityInfo']>>;
  };
  EntityInfoListAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['EntityInfoList'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  EntityLookUpRequest: {
    id?: string;
    name?: string;
    alias_id?: string;
    alias_name?: string;
    alias_mount_accessor?: string;
  };
  EntityMergeRequest: {
    from_entity_ids?: readonly (string)[];
    to_entity_id?: string;
    conflicting_alias_ids_to_keep?: readonly (string)[];
    force?: boolean;
  };
  EntityUpdateAliasByIdRequest: {
    name?: string;
    canonical_id?: string;
    entity_id?: string;
    mount_accessor?: string;
    custom_metadata?: Readonly<Record<string, unknown>>;
  };
  EntityUpdateByIdRequest: {
    name?: string;
    metadata?: Readonly<Record<string, unknown>>;
    policies?: readonly (string)[];
    disabled?: boolean;
  };
  EntityUpdateByNameRequest: {
    name?: string;
    metadata?: Readonly<Record<string, unknown>>;
    policies?: readonly (string)[];
    disabled?: boolean;
  };
  Errors: {
    errors: readonly (string)[];
  };
  FailingCheck: {
    name: string;
    ok: boolean;
    reason?: string;
  };
  FigurePoint: {
    at: string;
    access: Schemas['HalfFigures'];
    workspaces: Schemas['HalfFigures'];
    logins: number;
    refused_logins: number;
    handshake_errors: number;
    ocsp_requests: number;
    ocsp_failures: number;
    crl_fetches: number;
    crl_fetch_failures: number;
    connections: number | null;
    database_bytes: number | null;
    database_ms: number | null;
  };
  FlatAuditDevicesAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['AuditDevices'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  FlatAuditHashAnswer: {
    hash: string;
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['AuditHash'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  FlatCapabilitiesAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['Capabilities'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  FlatLegacyPolicyAnswer: {
    name: string;
    rules: string;
    version: number;
    cas_required: boolean;
    allow_wildcards_in_identity_templates: boolean;
    allow_slashes_in_identity_templates: boolean;
    expiration?: string;
    modified?: string;
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['LegacyPolicy'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  FlatMountEntryAnswer: {
    accessor: string;
    config: Schemas['MountConfig'];
    deprecation_status: string;
    description: string;
    external_entropy_access: boolean;
    local: boolean;
    options: Readonly<Record<string, string>> | null;
    plugin_version: string;
    running_plugin_version: string;
    running_sha256: string;
    seal_wrap: boolean;
    type: string;
    uuid: string;
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['MountEntry'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  FlatMountTuningAnswer: {
    default_lease_ttl: number;
    max_lease_ttl: number;
    force_no_cache: boolean;
    token_type: string;
    listing_visibility?: 'hidden' | 'unauth';
    audit_non_hmac_request_keys?: readonly (string)[];
    audit_non_hmac_response_keys?: readonly (string)[];
    passthrough_request_headers?: readonly (string)[];
    allowed_response_headers?: readonly (string)[];
    description: string;
    options?: Readonly<Record<string, string>>;
    external_entropy_access?: boolean;
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['MountTuning'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  FlatMountsAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['Mounts'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  FlatPolicyNamesAnswer: {
    keys: readonly (string)[];
    policies: readonly (string)[];
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['PolicyNames'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  FlatRemountAnswer: {
    migration_id: string;
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['Remount'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  GenerateHashRequest: {
    input?: string;
    algorithm?: string;
    format?: string;
  };
  GenerateHashWithAlgorithmRequest: {
    input?: string;
    algorithm?: string;
    format?: string;
  };
  GenerateRandomRequest: {
    bytes?: number;
    format?: string;
    source?: string;
  };
  GenerateRandomWithSourceAndBytesRequest: {
    bytes?: number;
    format?: string;
    source?: string;
  };
  GenerateRandomWithSourceRequest: {
    bytes?: number;
    format?: string;
    source?: string;
  };
  Group: {
    alias: Schemas['GroupAlias'];
    creation_time: string;
    id: string;
    last_update_time: string;
    member_entity_ids: readonly (string)[];
    member_group_ids: readonly (string)[];
    metadata: Readonly<Record<string, string>>;
    modify_index: number;
    name: string;
    namespace_id: string;
    parent_group_ids: readonly (string)[];
    policies: readonly (string)[];
    type: 'internal' | 'external';
  };
  GroupAlias: {
    canonical_id?: string;
    creation_time?: string;
    id?: string;
    last_update_time?: string;
    merged_from_canonical_ids?: readonly (string)[] | null;
    metadata?: Readonly<Record<string, string>> | null;
    mount_accessor?: string;
    mount_path?: string;
    mount_type?: string;
    name?: string;
  };
  GroupAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['Group'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  GroupAnswerOrNothing: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['Group'] | null;
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  GroupCreateAliasRequest: {
    id?: string;
    name?: string;
    mount_accessor?: string;
    canonical_id?: string;
  };
  GroupCreateRequest: {
    id?: string;
    type?: string;
    name?: string;
    metadata?: Readonly<Record<string, unknown>>;
    policies?: readonly (string)[];
    member_group_ids?: readonly (string)[];
    member_entity_ids?: readonly (string)[];
  };
  GroupInfo: {
    name: string;
    num_member_entities: number;
    num_parent_groups: number;
    alias?: Schemas['GroupInfoAlias'];
  };
  GroupInfoAlias: {
    id: string;
    name: string;
    mount_accessor: string;
    mount_path: string;
    mount_type: string;
  };
  GroupInfoList: {
    keys: readonly (string)[];
    key_info: Readonly<Record<string, Schemas['GroupInfo']>>;
  };
  GroupInfoListAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['GroupInfoList'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  GroupLookUpRequest: {
    id?: string;
    name?: string;
    alias_id?: string;
    alias_name?: string;
    alias_mount_accessor?: string;
  };
  GroupUpdateAliasByIdRequest: {
    name?: string;
    mount_accessor?: string;
    canonical_id?: string;
  };
  GroupUpdateByIdRequest: {
    type?: string;
    name?: string;
    metadata?: Readonly<Record<string, unknown>>;
    policies?: readonly (string)[];
    member_group_ids?: readonly (string)[];
    member_entity_ids?: readonly (string)[];
  };
  GroupUpdateByNameRequest: {
    type?: string;
    name?: string;
    metadata?: Readonly<Record<string, unknown>>;
    policies?: readonly (string)[];
    member_group_ids?: readonly (string)[];
    member_entity_ids?: readonly (string)[];
  };
  HalfFigures: {
    requests: number;
    errors: number;
    p95_ms: number | null;
  };
  HashSum: {
    sum: string;
  };
  HashSumAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['HashSum'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  Health: {
    initialized: boolean;
    sealed: boolean;
    standby: boolean;
    performance_standby: boolean;
    replication_performance_mode: string;
    replication_dr_mode: string;
    server_time_utc: number;
    version: string;
    enterprise: boolean;
    cluster_name: string;
    cluster_id: string;
    echo_duration_ms: number;
    clock_skew_ms: number;
    failing?: readonly (Schemas['FailingCheck'])[];
    audit?: Schemas['AuditFailure'];
  };
  InitializationStatus: {
    initialized: boolean;
  };
  IrrevocableLeases: {
    lease_count: number;
    leases: readonly (Readonly<Record<string, unknown>>)[];
  };
  IrrevocableLeasesAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['IrrevocableLeases'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  JwtConfig: {
    oidc_discovery_url: string;
    oidc_discovery_ca_pem: string;
    jwks_url: string;
    jwks_ca_pem: string;
    jwks_pairs: readonly (Readonly<Record<string, unknown>>)[];
    jwt_validation_pubkeys: readonly (string)[];
    jwt_supported_algs: readonly (string)[];
    bound_issuer: string;
    default_role: string;
    oidc_client_id: string;
    oidc_response_mode: string;
    oidc_response_types: readonly (string)[];
    provider_config: Readonly<Record<string, unknown>>;
    namespace_in_state: boolean;
  };
  JwtConfigAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['JwtConfig'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  JwtConfigureRequest: {
    oidc_discovery_url?: string;
    oidc_discovery_ca_pem?: string;
    jwks_url?: string;
    jwks_ca_pem?: string;
    jwks_pairs?: readonly (Readonly<Record<string, unknown>>)[];
    jwt_validation_pubkeys?: readonly (string)[];
    jwt_supported_algs?: readonly (string)[];
    bound_issuer?: string;
    default_role?: string;
    oidc_client_id?: string;
    oidc_response_mode?: string;
    oidc_response_types?: readonly (string)[];
    provider_config?: Readonly<Record<string, unknown>>;
    namespace_in_state?: boolean;
    oidc_client_secret?: string;
    skip_jwks_validation?: boolean;
  };
  JwtExplainLoginRequest: {
    role?: string;
    jwt?: string;
    address?: string;
  };
  JwtExplainedRole: {
    role: string;
    admitted: boolean;
    alias_name: string;
    verdicts: readonly (Schemas['JwtVerdict'])[];
  };
  JwtExplanation: {
    algorithm: string | null;
    key_id: string | null;
    claims: Readonly<Record<string, unknown>> | null;
    admitted: boolean;
    role: string | null;
    error: string | null;
    verdicts: readonly (Schemas['JwtVerdict'])[];
    roles: readonly (Schemas['JwtExplainedRole'])[];
    roles_left_out: number;
  };
  JwtExplanationAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['JwtExplanation'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  JwtLoginRequest: {
    role?: string;
    jwt?: string;
  };
  JwtRole: {
    role_type: string;
    user_claim: string;
    user_claim_json_pointer: boolean;
    bound_audiences: readonly (string)[] | null;
    bound_subject: string;
    bound_claims_type: string;
    bound_claims: Readonly<Record<string, unknown>> | null;
    claim_mappings: Readonly<Record<string, unknown>> | null;
    groups_claim: string;
    clock_skew_leeway: number;
    expiration_leeway: number;
    not_before_leeway: number;
    allowed_redirect_uris: readonly (string)[] | null;
    oidc_scopes: readonly (string)[] | null;
    oauth2_metadata: readonly (string)[] | null;
    max_age: number;
    verbose_oidc_logging: boolean;
    token_bound_cidrs: readonly (string)[];
    token_explicit_max_ttl: number;
    token_max_ttl: number;
    token_no_default_policy: boolean;
    token_num_uses: number;
    token_period: number;
    token_policies: readonly (string)[];
    token_strictly_bind_ip: boolean;
    token_ttl: number;
    token_type: string;
    policies?: readonly (string)[];
    ttl?: number;
    max_ttl?: number;
    period?: number;
    bound_cidrs?: readonly (string)[];
    num_uses?: number;
  };
  JwtRoleAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['JwtRole'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  JwtRoleList: {
    keys: readonly (string)[];
    key_info?: Readonly<Record<string, Schemas['JwtRole']>>;
  };
  JwtRoleListAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['JwtRoleList'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  JwtVerdict: {
    check: string;
    outcome: 'passed' | 'refused';
    expected: string;
    actual: string;
    hint?: string;
  };
  JwtWriteRoleRequest: {
    role_type?: string;
    user_claim?: string;
    user_claim_json_pointer?: boolean;
    bound_audiences?: readonly (string)[];
    bound_subject?: string;
    bound_claims_type?: string;
    bound_claims?: Readonly<Record<string, unknown>>;
    claim_mappings?: Readonly<Record<string, unknown>>;
    groups_claim?: string;
    clock_skew_leeway?: string;
    expiration_leeway?: string;
    not_before_leeway?: string;
    allowed_redirect_uris?: readonly (string)[];
    oidc_scopes?: readonly (string)[];
    oauth2_metadata?: readonly (string)[];
    max_age?: string;
    verbose_oidc_logging?: boolean;
    token_bound_cidrs?: readonly (string)[];
    token_explicit_max_ttl?: string;
    token_max_ttl?: string;
    token_no_default_policy?: boolean;
    token_num_uses?: number;
    token_period?: string;
    token_policies?: readonly (string)[];
    token_strictly_bind_ip?: boolean;
    token_ttl?: string;
    token_type?: string;
    policies?: readonly (string)[];
    ttl?: string;
    max_ttl?: string;
    period?: string;
    bound_cidrs?: readonly (string)[];
    num_uses?: number;
  };
  KeyList: {
    keys: readonly (string)[];
  };
  KeyListAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['KeyList'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  Leader: {
    ha_enabled: boolean;
    is_self: boolean;
    active_time: string;
    leader_address: string;
    leader_cluster_address: string;
    performance_standby: boolean;
    performance_standby_last_remote_wal: number;
  };
  Lease: {
    id: string;
    issue_time: string;
    expire_time: string;
    last_renewal: string | null;
    renewable: boolean;
    ttl: number;
    path: string;
  };
  LeaseAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['Lease'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  LeaseCount: {
    lease_count: number;
    counts: Readonly<Record<string, unknown>>;
  };
  LeaseCountAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['LeaseCount'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  LeasesForceRevokeLeaseWithPrefixRequest: {
    sync?: boolean;
  };
  LeasesReadLeaseRequest: {
    lease_id?: string;
  };
  LeasesRenewLeaseRequest: {
    lease_id?: string;
    increment?: string;
  };
  LeasesRenewLeaseWithIdRequest: {
    lease_id?: string;
    increment?: string;
  };
  LeasesRevokeLeaseRequest: {
    lease_id?: string;
    sync?: boolean;
  };
  LeasesRevokeLeaseWithIdRequest: {
    lease_id?: string;
    sync?: boolean;
  };
  LeasesRevokeLeaseWithPrefixRequest: {
    sync?: boolean;
  };
  LegacyPolicy: {
    name: string;
    rules: string;
    version: number;
    cas_required: boolean;
    allow_wildcards_in_identity_templates: boolean;
    allow_slashes_in_identity_templates: boolean;
    expiration?: string;
    modified?: string;
  };
  ListedToken: {
    accessor: string;
    creation_time: number;
    creation_ttl: number;
    display_name: string;
    entity_id: string;
    expire_time: string | null;
    explicit_max_ttl: number;
    id: string;
    meta: Readonly<Record<string, string>> | null;
    num_uses: number;
    orphan: boolean;
    path: string;
    policies: readonly (string)[];
    ttl: number;
    type: string;
    renewable?: boolean;
    issue_time?: string;
    role?: string;
    period?: number;
    bound_cidrs?: readonly (string)[];
    identity_policies?: readonly (string)[];
    last_renewal?: string;
    last_renewal_time?: number;
    parent?: string;
    disabled: boolean;
    ended?: boolean;
  };
  LockedUsers: {
    by_namespace: readonly (Readonly<Record<string, unknown>>)[];
    total: number;
  };
  LockedUsersAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['LockedUsers'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  MountAtPath: {
    accessor: string;
    config: Schemas['MountConfig'];
    deprecation_status: string;
    description: string;
    external_entropy_access: boolean;
    local: boolean;
    options: Readonly<Record<string, string>> | null;
    plugin_version: string;
    running_plugin_version: string;
    running_sha256: string;
    seal_wrap: boolean;
    type: string;
    uuid: string;
    path: string;
  };
  MountAtPathAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['MountAtPath'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  MountConfig: {
    default_lease_ttl: number;
    max_lease_ttl: number;
    force_no_cache: boolean;
    token_type: string;
    listing_visibility?: 'hidden' | 'unauth';
    audit_non_hmac_request_keys?: readonly (string)[];
    audit_non_hmac_response_keys?: readonly (string)[];
    passthrough_request_headers?: readonly (string)[];
    allowed_response_headers?: readonly (string)[];
  };
  MountEntry: {
    accessor: string;
    config: Schemas['MountConfig'];
    deprecation_status: string;
    description: string;
    external_entropy_access: boolean;
    local: boolean;
    options: Readonly<Record<string, string>> | null;
    plugin_version: string;
    running_plugin_version: string;
    running_sha256: string;
    seal_wrap: boolean;
    type: string;
    uuid: string;
  };
  MountEntryAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['MountEntry'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  MountTuning: {
    default_lease_ttl: number;
    max_lease_ttl: number;
    force_no_cache: boolean;
    token_type: string;
    listing_visibility?: 'hidden' | 'unauth';
    audit_non_hmac_request_keys?: readonly (string)[];
    audit_non_hmac_response_keys?: readonly (string)[];
    passthrough_request_headers?: readonly (string)[];
    allowed_response_headers?: readonly (string)[];
    description: string;
    options?: Readonly<Record<string, string>>;
    external_entropy_access?: boolean;
  };
  Mounts: Readonly<Record<string, Schemas['MountEntry']>>;
  MountsTuneConfigurationParametersRequest: {
    description?: string;
    default_lease_ttl?: string;
    max_lease_ttl?: string;
    token_type?: string;
    listing_visibility?: string;
    options?: Readonly<Record<string, unknown>>;
    force_no_cache?: boolean;
    audit_non_hmac_request_keys?: readonly (string)[];
    audit_non_hmac_response_keys?: readonly (string)[];
    passthrough_request_headers?: readonly (string)[];
    allowed_response_headers?: readonly (string)[];
  };
  NewEntity: {
    id: string;
    name: string;
    aliases: readonly (string)[] | null;
  };
  NewEntityAnswerOrNothing: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['NewEntity'] | null;
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  NewGroup: {
    id: string;
    name: string;
  };
  NewGroupAnswerOrNothing: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['NewGroup'] | null;
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  Nothing: Readonly<Record<string, unknown>>;
  OpenApiDocument: {
    openapi: string;
    info: Readonly<Record<string, unknown>>;
    servers: readonly (Readonly<Record<string, unknown>>)[];
    security: readonly (Readonly<Record<string, unknown>>)[];
    tags: readonly (Readonly<Record<string, unknown>>)[];
    paths: Readonly<Record<string, unknown>>;
    components: Readonly<Record<string, unknown>>;
  };
  OverriddenPolicyRule: {
    path: string;
    policies: readonly (string)[];
    capabilities: readonly (string)[];
    blocks: readonly (Schemas['PolicyBlock'])[];
    because: string;
  };
  Plugin: {
    name: string;
    builtin: boolean;
    version: string;
    deprecation_status: string;
    args: readonly (string)[];
    command: string;
    sha256: string;
  };
  PluginAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['Plugin'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  PluginCatalog: {
    auth: readonly (string)[];
    database: readonly (string)[];
    secret: readonly (string)[];
    detailed: readonly (Schemas['PluginEntry'])[];
  };
  PluginCatalogAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['PluginCatalog'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  PluginEntry: {
    name: string;
    builtin: boolean;
    version: string;
    deprecation_status: string;
    type: string;
  };
  PoliciesExplainRequest: {
    token?: string;
    accessor?: string;
    policies?: readonly (string)[];
    path?: string;
    capability?: string;
    method?: string;
    draft?: string;
    draft_name?: string;
    wrap_ttl?: string;
    parameters?: Readonly<Record<string, unknown>>;
  };
  PoliciesPatchAclPolicyRequest: {
    policy?: string;
    cas?: number;
    cas_required?: boolean;
    expiration?: string;
    ttl?: string;
    allow_wildcards_in_identity_templates?: boolean;
    allow_slashes_in_identity_templates?: boolean;
  };
  PoliciesWriteAclPolicy2Request: {
    policy?: string;
    cas?: number;
    cas_required?: boolean;
    expiration?: string;
    ttl?: string;
    allow_wildcards_in_identity_templates?: boolean;
    allow_slashes_in_identity_templates?: boolean;
    rules?: string;
  };
  PoliciesWriteAclPolicyRequest: {
    policy?: string;
    cas?: number;
    cas_required?: boolean;
    expiration?: string;
    ttl?: string;
    allow_wildcards_in_identity_templates?: boolean;
    allow_slashes_in_identity_templates?: boolean;
  };
  PolicyBlock: {
    policy: string;
    path: string;
    line: number;
    capabilities: readonly (string)[];
  };
  PolicyExplanation: {
    allowed: boolean;
    reason: string;
    detail: string;
    path: string;
    capability: string;
    needs_sudo: boolean;
    policies: readonly (string)[];
    rule: Schemas['PolicyRule'] | null;
    overridden: readonly (Schemas['OverriddenPolicyRule'])[];
    dropped: readonly (Schemas['DroppedPolicyBlock'])[];
    policy_sources: Schemas['PolicySources'] | null;
    missing_policies: readonly (string)[];
    unreadable_policies: readonly (Schemas['UnreadablePolicy'])[];
  };
  PolicyExplanationAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['PolicyExplanation'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  PolicyNames: {
    keys: readonly (string)[];
    policies: readonly (string)[];
  };
  PolicyRule: {
    path: string;
    policies: readonly (string)[];
    capabilities: readonly (string)[];
    blocks: readonly (Schemas['PolicyBlock'])[];
  };
  PolicySourceGroup: {
    id: string;
    name: string;
    inherited: boolean;
    policies: readonly (string)[];
  };
  PolicySources: {
    token: readonly (string)[];
    entity: readonly (string)[];
    groups: readonly (Schemas['PolicySourceGroup'])[];
  };
  PolicyUseCounts: {
    roles: number;
    token_roles: number;
    entities: number;
    groups: number;
  };
  PolicyUser: {
    id: string;
    name: string;
  };
  PolicyUserRole: {
    mount_path: string;
    name: string;
  };
  PolicyUses: {
    roles: readonly (Schemas['PolicyUserRole'])[];
    token_roles: readonly (string)[];
    entities: readonly (Schemas['PolicyUser'])[];
    groups: readonly (Schemas['PolicyUser'])[];
    counts: Schemas['PolicyUseCounts'];
  };
  PolicyUsesAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['PolicyUses'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  ProgramVersion: {
    previous_version: string | null;
    timestamp_installed: string;
    build_date: string;
    commit_date: string;
  };
  ProgramVersionList: {
    keys: readonly (string)[];
    key_info: Readonly<Record<string, Schemas['ProgramVersion']>>;
  };
  ProgramVersionListAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['ProgramVersionList'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  QueryTokenAccessorCapabilitiesRequest: {
    path?: readonly (string)[];
    paths?: readonly (string)[];
    accessor?: string;
  };
  QueryTokenCapabilitiesRequest: {
    path?: readonly (string)[];
    paths?: readonly (string)[];
    token?: string;
  };
  QueryTokenSelfCapabilitiesRequest: {
    path?: readonly (string)[];
    paths?: readonly (string)[];
  };
  RandomBytes: {
    random_bytes: string;
  };
  RandomBytesAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['RandomBytes'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  ReadWrappingPropertiesRequest: {
    token?: string;
  };
  RecentFigures: {
    node: string;
    interval: number;
    points: readonly (Schemas['FigurePoint'])[];
  };
  RecentFiguresAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['RecentFigures'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  RecordedHeaders: {
    headers: Readonly<Record<string, unknown>>;
  };
  RecordedHeadersAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['RecordedHeaders'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  RefusedMerge: {
    errors: readonly (string)[];
    data?: readonly (Schemas['ClashingAlias'])[];
  };
  Remount: {
    migration_id: string;
  };
  RemountInfo: {
    source_mount: string;
    target_mount: string;
    status: 'success';
  };
  RemountRequest: {
    from?: string;
    to?: string;
  };
  RemountStatus: {
    migration_id: string;
    migration_info: Schemas['RemountInfo'];
  };
  RemountStatusAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['RemountStatus'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  ResultantAcl: {
    root: boolean;
    exact_paths?: Readonly<Record<string, Schemas['ResultantRule']>>;
    glob_paths?: Readonly<Record<string, Schemas['ResultantRule']>>;
  };
  ResultantAclAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['ResultantAcl'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  ResultantRule: {
    capabilities: readonly (string)[];
    min_wrapping_ttl?: number;
    max_wrapping_ttl?: number;
    allowed_parameters?: Readonly<Record<string, readonly (unknown)[]>>;
    denied_parameters?: Readonly<Record<string, readonly (unknown)[]>>;
    required_parameters?: readonly (string)[];
  };
  RewrapRequest: {
    token?: string;
  };
  SealStatus: {
    type: string;
    initialized: boolean;
    sealed: boolean;
    t: number;
    n: number;
    progress: number;
    nonce: string;
    version: string;
    build_date: string;
    migration: boolean;
    cluster_name: string;
    cluster_id: string;
    recovery_seal: boolean;
    storage_type: string;
  };
  TokenCreateAgainstRoleRequest: {
    id?: string;
    policies?: readonly (string)[];
    meta?: Readonly<Record<string, unknown>>;
    no_parent?: boolean;
    no_default_policy?: boolean;
    renewable?: boolean;
    ttl?: string;
    lease?: string;
    type?: string;
    explicit_max_ttl?: string;
    display_name?: string;
    num_uses?: number;
    period?: string;
    entity_alias?: string;
  };
  TokenCreateOrphanRequest: {
    id?: string;
    policies?: readonly (string)[];
    meta?: Readonly<Record<string, unknown>>;
    no_parent?: boolean;
    no_default_policy?: boolean;
    renewable?: boolean;
    ttl?: string;
    lease?: string;
    type?: string;
    explicit_max_ttl?: string;
    display_name?: string;
    num_uses?: number;
    period?: string;
    entity_alias?: string;
  };
  TokenCreateRequest: {
    id?: string;
    policies?: readonly (string)[];
    meta?: Readonly<Record<string, unknown>>;
    no_parent?: boolean;
    no_default_policy?: boolean;
    renewable?: boolean;
    ttl?: string;
    lease?: string;
    type?: string;
    explicit_max_ttl?: string;
    display_name?: string;
    num_uses?: number;
    period?: string;
    entity_alias?: string;
  };
  TokenList: {
    keys: readonly (string)[];
    key_info?: Readonly<Record<string, Schemas['ListedToken']>>;
  };
  TokenListAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['TokenList'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  TokenLookUpAccessorRequest: {
    accessor?: string;
    detail?: boolean;
  };
  TokenLookUpRequest: {
    token?: string;
  };
  TokenLookup: {
    accessor: string;
    creation_time: number;
    creation_ttl: number;
    display_name: string;
    entity_id: string;
    expire_time: string | null;
    explicit_max_ttl: number;
    id: string;
    meta: Readonly<Record<string, string>> | null;
    num_uses: number;
    orphan: boolean;
    path: string;
    policies: readonly (string)[];
    ttl: number;
    type: string;
    renewable?: boolean;
    issue_time?: string;
    role?: string;
    period?: number;
    bound_cidrs?: readonly (string)[];
    identity_policies?: readonly (string)[];
    last_renewal?: string;
    last_renewal_time?: number;
    parent?: string;
    descendants?: number;
  };
  TokenLookupAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['TokenLookup'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  TokenRenewAccessorRequest: {
    accessor?: string;
    increment?: string;
  };
  TokenRenewByPathRequest: {
    increment?: string;
  };
  TokenRenewRequest: {
    token?: string;
    increment?: string;
  };
  TokenRenewSelfRequest: {
    increment?: string;
  };
  TokenRevokeAccessorRequest: {
    accessor?: string;
  };
  TokenRevokeOrphanRequest: {
    token?: string;
  };
  TokenRevokeRequest: {
    token?: string;
  };
  TokenRole: {
    name: string;
    allowed_policies: readonly (string)[];
    disallowed_policies: readonly (string)[];
    allowed_policies_glob: readonly (string)[];
    disallowed_policies_glob: readonly (string)[];
    allowed_entity_aliases: readonly (string)[];
    orphan: boolean;
    renewable: boolean;
    path_suffix: string;
    token_bound_cidrs?: readonly (string)[];
    token_explicit_max_ttl: number;
    token_no_default_policy: boolean;
    token_num_uses?: number;
    token_period: number;
    token_strictly_bind_ip?: boolean;
    token_type: string;
    period: number;
    explicit_max_ttl: number;
    bound_cidrs?: readonly (string)[];
  };
  TokenRoleAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['TokenRole'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  TokenWriteRoleRequest: {
    allowed_policies?: readonly (string)[];
    disallowed_policies?: readonly (string)[];
    allowed_policies_glob?: readonly (string)[];
    disallowed_policies_glob?: readonly (string)[];
    allowed_entity_aliases?: readonly (string)[];
    orphan?: boolean;
    renewable?: boolean;
    path_suffix?: string;
    token_bound_cidrs?: readonly (string)[];
    token_explicit_max_ttl?: string;
    token_no_default_policy?: boolean;
    token_num_uses?: number;
    token_period?: string;
    token_strictly_bind_ip?: boolean;
    token_type?: string;
    period?: string;
    explicit_max_ttl?: string;
    bound_cidrs?: readonly (string)[];
  };
  UnreadablePolicy: {
    policy: string;
    problem: string;
  };
  UnwrapRequest: {
    token?: string;
  };
  VisibleMount: {
    type: string;
    description: string;
    options: Readonly<Record<string, string>> | null;
    accessor?: string;
    config?: Schemas['MountConfig'];
    deprecation_status?: string;
    external_entropy_access?: boolean;
    local?: boolean;
    plugin_version?: string;
    running_plugin_version?: string;
    running_sha256?: string;
    seal_wrap?: boolean;
    uuid?: string;
  };
  VisibleMounts: {
    auth: Readonly<Record<string, Schemas['VisibleMount']>>;
    secret: Readonly<Record<string, Schemas['VisibleMount']>>;
  };
  VisibleMountsAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['VisibleMounts'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  WarningsAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Readonly<Record<string, unknown>> | null;
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  WrapInfo: {
    token: string;
    accessor: string;
    ttl: number;
    creation_time: string;
    creation_path: string;
    wrapped_accessor?: string;
  };
  WrappedAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Readonly<Record<string, unknown>> | null;
    wrap_info: Schemas['WrapInfo'];
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  WrappingProperties: {
    creation_ttl: number;
    creation_time: string;
    creation_path: string;
  };
  WrappingPropertiesAnswer: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['WrappingProperties'];
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
  WrittenAlias: {
    id: string;
    canonical_id: string;
  };
  WrittenAliasAnswerOrNothing: {
    request_id: string;
    lease_id: string;
    renewable: boolean;
    lease_duration: number;
    data: Schemas['WrittenAlias'] | null;
    wrap_info: Readonly<Record<string, unknown>> | null;
    warnings: readonly (string)[] | null;
    auth: Readonly<Record<string, unknown>> | null;
  };
}

export interface Operations {
  'GET /auth/token/accessors/': {
    query: {
      list: 'true';
      after?: string;
      limit?: number;
      detail?: boolean;
    };
    answer: Schemas['TokenListAnswer'];
  };
  'POST /auth/token/create': {
    body: Schemas['TokenCreateRequest'];
    answer: Schemas['AuthAnswer'];
  };
  'POST /auth/token/create-orphan': {
    body: Schemas['TokenCreateOrphanRequest'];
    answer: Schemas['AuthAnswer'];
  };
  'POST /auth/token/create/{role}': {
    path: {
      role: string;
    };
    body: Schemas['TokenCreateAgainstRoleRequest'];
    answer: Schemas['AuthAnswer'];
  };
  'POST /auth/token/lookup': {
    body: Schemas['TokenLookUpRequest'];
    answer: Schemas['TokenLookupAnswer'];
  };
  'POST /auth/token/lookup-accessor': {
    body: Schemas['TokenLookUpAccessorRequest'];
    answer: Schemas['TokenLookupAnswer'];
  };
  'GET /auth/token/lookup-self': {
    answer: Schemas['TokenLookupAnswer'];
  };
  'POST /auth/token/lookup-self': {
    body: Readonly<Record<string, unknown>>;
    answer: Schemas['TokenLookupAnswer'];
  };
  'GET /auth/token/lookup/{token}': {
    path: {
      token: string;
    };
    answer: Schemas['TokenLookupAnswer'];
  };
  'POST /auth/token/renew': {
    body: Schemas['TokenRenewRequest'];
    answer: Schemas['AuthAnswer'];
  };
  'POST /auth/token/renew-accessor': {
    body: Schemas['TokenRenewAccessorRequest'];
    answer: Schemas['AuthAnswer'];
  };
  'POST /auth/token/renew-self': {
    body: Schemas['TokenRenewSelfRequest'];
    answer: Schemas['AuthAnswer'];
  };
  'POST /auth/token/renew/{token}': {
    path: {
      token: string;
    };
    body: Schemas['TokenRenewByPathRequest'];
    answer: Schemas['AuthAnswer'];
  };
  'POST /auth/token/revoke': {
    body: Schemas['TokenRevokeRequest'];
    answer: Schemas['WarningsAnswer'] | void;
  };
  'POST /auth/token/revoke-accessor': {
    body: Schemas['TokenRevokeAccessorRequest'];
    answer: Schemas['WarningsAnswer'] | void;
  };
  'POST /auth/token/revoke-orphan': {
    body: Schemas['TokenRevokeOrphanRequest'];
    answer: Schemas['WarningsAnswer'] | void;
  };
  'POST /auth/token/revoke-self': {
    body: Readonly<Record<string, unknown>>;
    answer: void;
  };
  'GET /auth/token/roles/': {
    query: {
      list: 'true';
      after?: string;
      limit?: number;
    };
    answer: Schemas['KeyListAnswer'];
  };
  'GET /auth/token/roles/{name}': {
    path: {
      name: string;
    };
    answer: Schemas['TokenRoleAnswer'];
  };
  'POST /auth/token/roles/{name}': {
    path: {
      name: string;
    };
    body: Schemas['TokenWriteRoleRequest'];
    answer: Schemas['WarningsAnswer'] | void;
  };
  'DELETE /auth/token/roles/{name}': {
    path: {
      name: string;
    };
    answer: void;
  };
  'POST /auth/token/tidy': {
    body: Readonly<Record<string, unknown>>;
    answer: Schemas['WarningsAnswer'];
  };
  'GET /auth/{cert_mount_path}/certs/': {
    path: {
      cert_mount_path: string;
    };
    query: {
      list: 'true';
      after?: string;
      limit?: number;
      detail?: boolean;
    };
    answer: Schemas['CertRoleInfoListAnswer'];
  };
  'GET /auth/{cert_mount_path}/certs/{name}': {
    path: {
      cert_mount_path: string;
      name: string;
    };
    answer: Schemas['CertRoleAnswer'];
  };
  'POST /auth/{cert_mount_path}/certs/{name}': {
    path: {
      cert_mount_path: string;
      name: string;
    };
    body: Schemas['CertWriteCertificateRequest'];
    answer: Schemas['WarningsAnswer'] | void;
  };
  'DELETE /auth/{cert_mount_path}/certs/{name}': {
    path: {
      cert_mount_path: string;
      name: string;
    };
    answer: void;
  };
  'GET /auth/{cert_mount_path}/config': {
    path: {
      cert_mount_path: string;
    };
    answer: Schemas['CertConfigAnswer'];
  };
  'POST /auth/{cert_mount_path}/config': {
    path: {
      cert_mount_path: string;
    };
    body: Schemas['CertConfigureRequest'];
    answer: Schemas['WarningsAnswer'] | void;
  };
  'GET /auth/{cert_mount_path}/crls/': {
    path: {
      cert_mount_path: string;
    };
    query: {
      list: 'true';
      after?: string;
      limit?: number;
      detail?: boolean;
    };
    answer: Schemas['CrlInfoListAnswer'];
  };
  'GET /auth/{cert_mount_path}/crls/{name}': {
    path: {
      cert_mount_path: string;
      name: string;
    };
    query: {
      after?: string;
      limit?: number;
      serial?: string;
    };
    answer: Schemas['CrlAnswer'];
  };
  'POST /auth/{cert_mount_path}/crls/{name}': {
    path: {
      cert_mount_path: string;
      name: string;
    };
    body: Schemas['CertWriteCrlRequest'];
    answer: Schemas['WarningsAnswer'] | void;
  };
  'DELETE /auth/{cert_mount_path}/crls/{name}': {
    path: {
      cert_mount_path: string;
      name: string;
    };
    answer: void;
  };
  'POST /auth/{cert_mount_path}/login': {
    path: {
      cert_mount_path: string;
    };
    body: Schemas['CertLoginRequest'];
    answer: Schemas['AuthAnswer'];
  };
  'POST /auth/{cert_mount_path}/login/explain': {
    path: {
      cert_mount_path: string;
    };
    body: Schemas['CertExplainLoginRequest'];
    answer: Schemas['CertExplanationAnswer'];
  };
  'GET /auth/{jwt_mount_path}/config': {
    path: {
      jwt_mount_path: string;
    };
    answer: Schemas['JwtConfigAnswer'];
  };
  'POST /auth/{jwt_mount_path}/config': {
    path: {
      jwt_mount_path: string;
    };
    body: Schemas['JwtConfigureRequest'];
    answer: Schemas['WarningsAnswer'] | void;
  };
  'POST /auth/{jwt_mount_path}/login': {
    path: {
      jwt_mount_path: string;
    };
    body: Schemas['JwtLoginRequest'];
    answer: Schemas['AuthAnswer'];
  };
  'POST /auth/{jwt_mount_path}/login/explain': {
    path: {
      jwt_mount_path: string;
    };
    body: Schemas['JwtExplainLoginRequest'];
    answer: Schemas['JwtExplanationAnswer'];
  };
  'GET /auth/{jwt_mount_path}/role/': {
    path: {
      jwt_mount_path: string;
    };
    query: {
      list: 'true';
      after?: string;
      limit?: number;
      detail?: boolean;
    };
    answer: Schemas['JwtRoleListAnswer'];
  };
  'GET /auth/{jwt_mount_path}/role/{name}': {
    path: {
      jwt_mount_path: string;
      name: string;
    };
    answer: Schemas['JwtRoleAnswer'];
  };
  'POST /auth/{jwt_mount_path}/role/{name}': {
    path: {
      jwt_mount_path: string;
      name: string;
    };
    body: Schemas['JwtWriteRoleRequest'];
    answer: Schemas['WarningsAnswer'] | void;
  };
  'DELETE /auth/{jwt_mount_path}/role/{name}': {
    path: {
      jwt_mount_path: string;
      name: string;
    };
    answer: void;
  };
  'POST /identity/entity': {
    body: Schemas['EntityCreateRequest'];
    answer: Schemas['NewEntityAnswerOrNothing'] | void;
  };
  'POST /identity/entity-alias': {
    body: Schemas['EntityCreateAliasRequest'];
    answer: Schemas['WrittenAliasAnswerOrNothing'] | void;
  };
  'GET /identity/entity-alias/id/': {
    query: {
      list: 'true';
      after?: string;
      limit?: number;
    };
    answer: Schemas['AliasInfoListAnswer'];
  };
  'GET /identity/entity-alias/id/{id}': {
    path: {
      id: string;
    };
    answer: Schemas['AliasAnswer'];
  };
  'POST /identity/entity-alias/id/{id}': {
    path: {
      id: string;
    };
    body: Schemas['EntityUpdateAliasByIdRequest'];
    answer: Schemas['WrittenAliasAnswerOrNothing'] | void;
  };
  'DELETE /identity/entity-alias/id/{id}': {
    path: {
      id: string;
    };
    answer: void;
  };
  'POST /identity/entity/batch-delete': {
    body: Schemas['EntityBatchDeleteRequest'];
    answer: Schemas['WarningsAnswer'] | void;
  };
  'GET /identity/entity/id/': {
    query: {
      list: 'true';
      after?: string;
      limit?: number;
    };
    answer: Schemas['EntityInfoListAnswer'];
  };
  'GET /identity/entity/id/{id}': {
    path: {
      id: string;
    };
    answer: Schemas['EntityAnswer'];
  };
  'POST /identity/entity/id/{id}': {
    path: {
      id: string;
    };
    body: Schemas['EntityUpdateByIdRequest'];
    answer: Schemas['WarningsAnswer'] | void;
  };
  'DELETE /identity/entity/id/{id}': {
    path: {
      id: string;
    };
    answer: void;
  };
  'POST /identity/entity/merge': {
    body: Schemas['EntityMergeRequest'];
    answer: Schemas['WarningsAnswer'] | void;
  };
  'GET /identity/entity/name/': {
    query: {
      list: 'true';
      after?: string;
      limit?: number;
    };
    answer: Schemas['KeyListAnswer'];
  };
  'GET /identity/entity/name/{name}': {
    path: {
      name: string;
    };
    answer: Schemas['EntityAnswer'];
  };
  'POST /identity/entity/name/{name}': {
    path: {
      name: string;
    };
    body: Schemas['EntityUpdateByNameRequest'];
    answer: Schemas['NewEntityAnswerOrNothing'] | void;
  };
  'DELETE /identity/entity/name/{name}': {
    path: {
      name: string;
    };
    answer: void;
  };
  'POST /identity/group': {
    body: Schemas['GroupCreateRequest'];
    answer: Schemas['NewGroupAnswerOrNothing'] | void;
  };
  'POST /identity/group-alias': {
    body: Schemas['GroupCreateAliasRequest'];
    answer: Schemas['WrittenAliasAnswerOrNothing'] | void;
  };
  'GET /identity/group-alias/id/': {
    query: {
      list: 'true';
      after?: string;
      limit?: number;
    };
    answer: Schemas['AliasInfoListAnswer'];
  };
  'GET /identity/group-alias/id/{id}': {
    path: {
      id: string;
    };
    answer: Schemas['AliasAnswer'];
  };
  'POST /identity/group-alias/id/{id}': {
    path: {
      id: string;
    };
    body: Schemas['GroupUpdateAliasByIdRequest'];
    answer: Schemas['WrittenAliasAnswerOrNothing'] | void;
  };
  'DELETE /identity/group-alias/id/{id}': {
    path: {
      id: string;
    };
    answer: void;
  };
  'GET /identity/group/id/': {
    query: {
      list: 'true';
      after?: string;
      limit?: number;
    };
    answer: Schemas['GroupInfoListAnswer'];
  };
  'GET /identity/group/id/{id}': {
    path: {
      id: string;
    };
    answer: Schemas['GroupAnswer'];
  };
  'POST /identity/group/id/{id}': {
    path: {
      id: string;
    };
    body: Schemas['GroupUpdateByIdRequest'];
    answer: Schemas['WarningsAnswer'] | void;
  };
  'DELETE /identity/group/id/{id}': {
    path: {
      id: string;
    };
    answer: void;
  };
  'GET /identity/group/name/': {
    query: {
      list: 'true';
      after?: string;
      limit?: number;
    };
    answer: Schemas['GroupInfoListAnswer'];
  };
  'GET /identity/group/name/{name}': {
    path: {
      name: string;
    };
    answer: Schemas['GroupAnswer'];
  };
  'POST /identity/group/name/{name}': {
    path: {
      name: string;
    };
    body: Schemas['GroupUpdateByNameRequest'];
    answer: Schemas['NewGroupAnswerOrNothing'] | void;
  };
  'DELETE /identity/group/name/{name}': {
    path: {
      name: string;
    };
    answer: void;
  };
  'POST /identity/lookup/entity': {
    body: Schemas['EntityLookUpRequest'];
    answer: Schemas['EntityAnswerOrNothing'] | void;
  };
  'POST /identity/lookup/group': {
    body: Schemas['GroupLookUpRequest'];
    answer: Schemas['GroupAnswerOrNothing'] | void;
  };
  'GET /openapi.json': {
    answer: Schemas['OpenApiDocument'];
  };
  'GET /sys/audit': {
    answer: Schemas['FlatAuditDevicesAnswer'];
  };
  'POST /sys/audit-hash/{name}': {
    path: {
      name: string;
    };
    body: Schemas['AuditingCalculateHashRequest'];
    answer: Schemas['FlatAuditHashAnswer'];
  };
  'GET /sys/audit-record': {
    query: {
      actor?: string;
      path?: string;
      status?: string;
      request_id?: string;
      service?: string;
      type?: string;
      hash?: string;
      console_reads?: boolean;
      since?: string;
      until?: string;
      sink?: string;
      limit?: number;
      after?: string;
    };
    answer: Schemas['AuditLinesAnswer'];
  };
  'GET /sys/auth': {
    answer: Schemas['FlatMountsAnswer'];
  };
  'GET /sys/auth/{path}': {
    path: {
      path: string;
    };
    answer: Schemas['FlatMountEntryAnswer'];
  };
  'POST /sys/auth/{path}': {
    path: {
      path: string;
    };
    body: Schemas['AuthEnableMethodRequest'];
    answer: Schemas['WarningsAnswer'] | void;
  };
  'DELETE /sys/auth/{path}': {
    path: {
      path: string;
    };
    answer: void;
  };
  'GET /sys/auth/{path}/tune': {
    path: {
      path: string;
    };
    answer: Schemas['FlatMountTuningAnswer'];
  };
  'POST /sys/auth/{path}/tune': {
    path: {
      path: string;
    };
    body: Schemas['AuthTuneConfigurationParametersRequest'];
    answer: Schemas['WarningsAnswer'] | void;
  };
  'POST /sys/capabilities': {
    body: Schemas['QueryTokenCapabilitiesRequest'];
    answer: Schemas['FlatCapabilitiesAnswer'];
  };
  'POST /sys/capabilities-accessor': {
    body: Schemas['QueryTokenAccessorCapabilitiesRequest'];
    answer: Schemas['FlatCapabilitiesAnswer'];
  };
  'POST /sys/capabilities-self': {
    body: Schemas['QueryTokenSelfCapabilitiesRequest'];
    answer: Schemas['FlatCapabilitiesAnswer'];
  };
  'GET /sys/config/auditing/request-headers': {
    answer: Schemas['RecordedHeadersAnswer'];
  };
  'GET /sys/config/cors': {
    answer: Schemas['CorsAnswer'];
  };
  'GET /sys/config/ui/headers/': {
    query: {
      list: 'true';
    };
    answer: Schemas['KeyListAnswer'];
  };
  'GET /sys/figures': {
    query: {
      step?: number;
    };
    answer: Schemas['RecentFiguresAnswer'];
  };
  'GET /sys/health': {
    query: {
      standbyok?: string;
      perfstandbyok?: string;
      activecode?: number;
      standbycode?: number;
      sealedcode?: number;
      uninitcode?: number;
    };
    answer: Schemas['Health'];
  };
  'GET /sys/init': {
    answer: Schemas['InitializationStatus'];
  };
  'POST /sys/init': {
    body: Readonly<Record<string, unknown>>;
    answer: void;
  };
  'GET /sys/internal/specs/openapi': {
    answer: Schemas['OpenApiDocument'];
  };
  'GET /sys/internal/ui/mounts': {
    answer: Schemas['VisibleMountsAnswer'];
  };
  'GET /sys/internal/ui/mounts/{path}': {
    path: {
      path: string;
    };
    answer: Schemas['MountAtPathAnswer'];
  };
  'GET /sys/internal/ui/resultant-acl': {
    answer: Schemas['ResultantAclAnswer'];
  };
  'GET /sys/leader': {
    answer: Schemas['Leader'];
  };
  'GET /sys/leases': {
    query: {
      type?: string;
      include_child_namespaces?: boolean;
      limit?: string;
    };
    answer: Schemas['IrrevocableLeasesAnswer'];
  };
  'GET /sys/leases/count': {
    query: {
      type?: string;
      include_child_namespaces?: boolean;
    };
    answer: Schemas['LeaseCountAnswer'];
  };
  'POST /sys/leases/lookup': {
    body: Schemas['LeasesReadLeaseRequest'];
    answer: Schemas['LeaseAnswer'];
  };
  'GET /sys/leases/lookup/': {
    query: {
      list: 'true';
      after?: string;
      limit?: number;
    };
    answer: Schemas['KeyListAnswer'];
  };
  'GET /sys/leases/lookup/{prefix}/': {
    path: {
      prefix: string;
    };
    query: {
      list: 'true';
      after?: string;
      limit?: number;
    };
    answer: Schemas['KeyListAnswer'];
  };
  'POST /sys/leases/renew': {
    body: Schemas['LeasesRenewLeaseRequest'];
    answer: void;
  };
  'POST /sys/leases/renew/{lease_id}': {
    path: {
      lease_id: string;
    };
    body: Schemas['LeasesRenewLeaseWithIdRequest'];
    answer: void;
  };
  'POST /sys/leases/revoke': {
    body: Schemas['LeasesRevokeLeaseRequest'];
    answer: void;
  };
  'POST /sys/leases/revoke-force/{prefix}': {
    path: {
      prefix: string;
    };
    body: Schemas['LeasesForceRevokeLeaseWithPrefixRequest'];
    answer: void;
  };
  'POST /sys/leases/revoke-prefix/{prefix}': {
    path: {
      prefix: string;
    };
    body: Schemas['LeasesRevokeLeaseWithPrefixRequest'];
    answer: void;
  };
  'POST /sys/leases/revoke/{lease_id}': {
    path: {
      lease_id: string;
    };
    body: Schemas['LeasesRevokeLeaseWithIdRequest'];
    answer: void;
  };
  'POST /sys/leases/tidy': {
    body: Readonly<Record<string, unknown>>;
    answer: Schemas['WarningsAnswer'];
  };
  'GET /sys/locked-users': {
    answer: Schemas['LockedUsersAnswer'];
  };
  'GET /sys/mounts': {
    answer: Schemas['FlatMountsAnswer'];
  };
  'GET /sys/mounts/auth/{path}': {
    path: {
      path: string;
    };
    answer: Schemas['FlatMountEntryAnswer'];
  };
  'GET /sys/mounts/auth/{path}/tune': {
    path: {
      path: string;
    };
    answer: Schemas['FlatMountTuningAnswer'];
  };
  'POST /sys/mounts/auth/{path}/tune': {
    path: {
      path: string;
    };
    body: Schemas['MountsTuneConfigurationParametersRequest'];
    answer: Schemas['WarningsAnswer'] | void;
  };
  'GET /sys/mounts/{path}': {
    path: {
      path: string;
    };
    answer: Schemas['MountEntryAnswer'];
  };
  'GET /sys/namespaces/': {
    query: {
      list: 'true';
    };
    answer: Schemas['KeyListAnswer'];
  };
  'GET /sys/plugins/catalog': {
    answer: Schemas['PluginCatalogAnswer'];
  };
  'GET /sys/plugins/catalog/{type}/': {
    path: {
      type: string;
    };
    query: {
      list: 'true';
    };
    answer: Schemas['KeyListAnswer'];
  };
  'GET /sys/plugins/catalog/{type}/{name}': {
    path: {
      type: string;
      name: string;
    };
    answer: Schemas['PluginAnswer'];
  };
  'GET /sys/policies/acl/': {
    query: {
      list: 'true';
      after?: string;
      limit?: number;
    };
    answer: Schemas['KeyListAnswer'];
  };
  'GET /sys/policies/acl/{name}': {
    path: {
      name: string;
    };
    answer: Schemas['AclPolicyAnswer'];
  };
  'POST /sys/policies/acl/{name}': {
    path: {
      name: string;
    };
    body: Schemas['PoliciesWriteAclPolicyRequest'];
    answer: Schemas['WarningsAnswer'] | void;
  };
  'PATCH /sys/policies/acl/{name}': {
    path: {
      name: string;
    };
    body: Schemas['PoliciesPatchAclPolicyRequest'];
    answer: Schemas['WarningsAnswer'] | void;
  };
  'DELETE /sys/policies/acl/{name}': {
    path: {
      name: string;
    };
    answer: void;
  };
  'GET /sys/policies/acl/{name}/': {
    path: {
      name: string;
    };
    query: {
      list: 'true';
      after?: string;
      limit?: number;
    };
    answer: Schemas['KeyListAnswer'];
  };
  'GET /sys/policies/detailed/acl/': {
    query: {
      list: 'true';
      after?: string;
      limit?: number;
    };
    answer: Schemas['AclPolicyListAnswer'];
  };
  'GET /sys/policies/detailed/acl/{name}/': {
    path: {
      name: string;
    };
    query: {
      list: 'true';
      after?: string;
      limit?: number;
    };
    answer: Schemas['AclPolicyListAnswer'];
  };
  'POST /sys/policies/explain': {
    body: Schemas['PoliciesExplainRequest'];
    answer: Schemas['PolicyExplanationAnswer'];
  };
  'GET /sys/policies/password/': {
    query: {
      list: 'true';
    };
    answer: Schemas['KeyListAnswer'];
  };
  'GET /sys/policies/uses/{name}': {
    path: {
      name: string;
    };
    answer: Schemas['PolicyUsesAnswer'];
  };
  'GET /sys/policy': {
    answer: Schemas['FlatPolicyNamesAnswer'];
  };
  'GET /sys/policy/': {
    query: {
      list: 'true';
      after?: string;
      limit?: number;
    };
    answer: Schemas['FlatPolicyNamesAnswer'];
  };
  'GET /sys/policy/{name}': {
    path: {
      name: string;
    };
    answer: Schemas['FlatLegacyPolicyAnswer'];
  };
  'POST /sys/policy/{name}': {
    path: {
      name: string;
    };
    body: Schemas['PoliciesWriteAclPolicy2Request'];
    answer: Schemas['WarningsAnswer'] | void;
  };
  'DELETE /sys/policy/{name}': {
    path: {
      name: string;
    };
    answer: void;
  };
  'GET /sys/policy/{name}/': {
    path: {
      name: string;
    };
    query: {
      list: 'true';
      after?: string;
      limit?: number;
    };
    answer: Schemas['KeyListAnswer'];
  };
  'GET /sys/quotas/lease-count/': {
    query: {
      list: 'true';
    };
    answer: Schemas['KeyListAnswer'];
  };
  'GET /sys/quotas/rate-limit/': {
    query: {
      list: 'true';
    };
    answer: Schemas['KeyListAnswer'];
  };
  'POST /sys/remount': {
    body: Schemas['RemountRequest'];
    answer: Schemas['FlatRemountAnswer'];
  };
  'GET /sys/remount/status/{id}': {
    path: {
      id: string;
    };
    answer: Schemas['RemountStatusAnswer'];
  };
  'POST /sys/seal': {
    body: Readonly<Record<string, unknown>>;
    answer: void;
  };
  'GET /sys/seal-status': {
    answer: Schemas['SealStatus'];
  };
  'POST /sys/tools/hash': {
    body: Schemas['GenerateHashRequest'];
    answer: Schemas['HashSumAnswer'];
  };
  'POST /sys/tools/hash/{algorithm}': {
    path: {
      algorithm: string;
    };
    body: Schemas['GenerateHashWithAlgorithmRequest'];
    answer: Schemas['HashSumAnswer'];
  };
  'POST /sys/tools/random': {
    body: Schemas['GenerateRandomRequest'];
    answer: Schemas['RandomBytesAnswer'];
  };
  'POST /sys/tools/random/{source}': {
    path: {
      source: string;
    };
    body: Schemas['GenerateRandomWithSourceRequest'];
    answer: Schemas['RandomBytesAnswer'];
  };
  'POST /sys/tools/random/{source}/{bytes}': {
    path: {
      source: string;
      bytes: string;
    };
    body: Schemas['GenerateRandomWithSourceAndBytesRequest'];
    answer: Schemas['RandomBytesAnswer'];
  };
  'POST /sys/unseal': {
    body: Readonly<Record<string, unknown>>;
    answer: Schemas['SealStatus'];
  };
  'GET /sys/version-history/': {
    query: {
      list: 'true';
    };
    answer: Schemas['ProgramVersionListAnswer'];
  };
  'GET /sys/wrapping/lookup': {
    answer: Schemas['WrappingPropertiesAnswer'];
  };
  'POST /sys/wrapping/lookup': {
    body: Schemas['ReadWrappingPropertiesRequest'];
    answer: Schemas['WrappingPropertiesAnswer'];
  };
  'POST /sys/wrapping/rewrap': {
    body: Schemas['RewrapRequest'];
    answer: Schemas['WrappedAnswer'];
  };
  'POST /sys/wrapping/unwrap': {
    body: Schemas['UnwrapRequest'];
    answer: Schemas['AnyAnswer'];
  };
  'POST /sys/wrapping/wrap': {
    body: Readonly<Record<string, unknown>>;
    answer: Schemas['WrappedAnswer'];
  };
}
