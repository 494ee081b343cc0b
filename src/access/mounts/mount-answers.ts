import {
  component,
  flag,
  mapComponent,
  mapOf,
  optional,
  orNull,
  seconds,
  text,
  texts,
  word,
} from '../operation/schema.ts';

const options = orNull(mapOf(text()));
const SETTINGS = {
  default_lease_ttl: seconds('Default lifetime of tokens; 0: the server default.'),
  max_lease_ttl: seconds('Maximum lifetime of tokens; 0: the server default.'),
  force_no_cache: flag(),
  token_type: text(
    '`service` or `batch` for all roles; `default-service` or `default-batch` for roles that do not set a type.',
  ),
  listing_visibility: optional(word(['hidden', 'unauth'], '`unauth`: listed without a token.')),
  audit_non_hmac_request_keys: optional(texts()),
  audit_non_hmac_response_keys: optional(texts()),
  passthrough_request_headers: optional(texts()),
  allowed_response_headers: optional(texts()),
};

const MOUNT = {
  accessor: text('Identifies the mount, also after a move.'),
  config: component('MountConfig', SETTINGS),
  deprecation_status: text(),
  description: text(),
  external_entropy_access: flag(),
  local: flag(),
  options,
  plugin_version: text(),
  running_plugin_version: text(),
  running_sha256: text(),
  seal_wrap: flag(),
  type: text('`cert`, `jwt`, `oidc`'),
  uuid: text(),
};

export const MountEntry = component('MountEntry', MOUNT, 'A mount.');
export const Mounts = mapComponent('Mounts', MountEntry, 'Mounts by path, with a trailing slash.');
export const MountAtPath = component('MountAtPath', { ...MOUNT, path: text('With a trailing slash.') });

export const MountTuningView = component(
  'MountTuning',
  { ...SETTINGS, description: text(), options: optional(mapOf(text())), external_entropy_access: optional(flag()) },
  'Tuning of a mount, with effective lifetimes.',
);

const VISIBLE = { type: text(), description: text(), options };
const Brief = component('VisibleMount', {
  ...VISIBLE,
  ...Object.fromEntries(
    Object.entries(MOUNT).flatMap(([name, schema]) => (name in VISIBLE ? [] : [[name, optional(schema)]])),
  ),
});
const section = mapOf(Brief, 'Mounts by path, with a trailing slash.');
export const VisibleMounts = component(
  'VisibleMounts',
  { auth: section, secret: section },
  'Without a token, only `type`, `description` and `options` of each mount.',
);

export const Remount = component('Remount', { migration_id: text() });
export const RemountStatus = component('RemountStatus', {
  migration_id: text(),
  migration_info: component('RemountInfo', {
    source_mount: text(),
    target_mount: text(),
    status: word(['success']),
  }),
});
