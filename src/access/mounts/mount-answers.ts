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
  default_lease_ttl: seconds('How long tokens live that say nothing of it; 0: as long as the installation says.'),
  max_lease_ttl: seconds('How long tokens can live; 0: as long as the installation says.'),
  force_no_cache: flag(),
  token_type: text('`service` or `batch` for all, or `default-service` or `default-batch` for roles that do not say.'),
  listing_visibility: optional(word(['hidden', 'unauth'], '`unauth`: shown to who has no token.')),
  audit_non_hmac_request_keys: optional(texts()),
  audit_non_hmac_response_keys: optional(texts()),
  passthrough_request_headers: optional(texts()),
  allowed_response_headers: optional(texts()),
};

const MOUNT = {
  accessor: text('Names the mount wherever it is moved.'),
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

export const MountEntry = component('MountEntry', MOUNT, 'What is mounted at a path.');
export const Mounts = mapComponent('Mounts', MountEntry, 'By path, with a slash at its end.');
export const MountAtPath = component('MountAtPath', { ...MOUNT, path: text('With a slash at its end.') });

export const MountTuningView = component(
  'MountTuning',
  { ...SETTINGS, description: text(), options: optional(mapOf(text())), external_entropy_access: optional(flag()) },
  'What an administrator may tune, times as they are in force.',
);

const VISIBLE = { type: text(), description: text(), options };
const Brief = component('VisibleMount', {
  ...VISIBLE,
  ...Object.fromEntries(
    Object.entries(MOUNT).flatMap(([name, schema]) => (name in VISIBLE ? [] : [[name, optional(schema)]])),
  ),
});
const section = mapOf(Brief, 'By path, with a slash at its end.');
export const VisibleMounts = component(
  'VisibleMounts',
  { auth: section, secret: section },
  'Without a token only `type`, `description` and `options` of each.',
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
