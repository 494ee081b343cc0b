import { type TProperties, Type } from 'typebox';
import { nullable } from '../../jsonapi/schema.ts';
import * as is from '../../openapi/resource.ts';
import { STATUSES } from '../version/state-version.ts';

const certificate = nullable(
  Type.Object({ mount: is.text, role: is.text, subject: is.text, 'serial-number': is.text }),
);
const counts = is.mapOf(is.mapOf(is.integer));
const one = { name: is.text, type: is.text, module: is.text, provider: is.text };

const output = {
  name: is.text,
  sensitive: is.flag,
  type: is.text,
  // A value can have any type of the engine.
  value: Type.Unknown(),
  'detailed-type': Type.Optional(Type.Unknown()),
};

const changes = (properties: TProperties) => {
  const list = Type.Array(Type.Object(properties));
  return Type.Object({ added: list, changed: list, removed: list });
};

/** State versions and their parsed data, by resource type. */
export const STATE_RESOURCES = {
  'state-versions': is.resource(
    'state-versions',
    {
      'billable-rum-count': is.integer,
      'created-at': is.time,
      'created-by-certificate': certificate,
      encrypted: is.flag,
      'hosted-json-state-download-url': is.textOrNull,
      'hosted-json-state-upload-url': is.textOrNull,
      'hosted-state-download-url': is.textOrNull,
      'hosted-state-upload-url': is.textOrNull,
      intermediate: is.flag,
      lineage: is.textOrNull,
      md5: is.text,
      modules: counts,
      providers: counts,
      resources: Type.Array(Type.Object({ ...one, count: is.integer })),
      'resources-processed': is.flag,
      serial: is.integer,
      size: is.integer,
      'state-version': is.integerOrNull,
      status: Type.Enum([...STATUSES]),
      'terraform-version': is.textOrNull,
      'vcs-commit-sha': is.textOrNull,
      'vcs-commit-url': is.textOrNull,
    },
    {
      'created-by': is.toOne(),
      outputs: is.toMany('state-version-outputs'),
      'rollback-state-version': is.toOne('state-versions'),
      run: is.toOne('runs'),
      workspace: is.toOne('workspaces'),
    },
  ),
  'state-version-outputs': is.resource('state-version-outputs', output),
  'workspace-outputs': is.resource('workspace-outputs', { ...output, 'output-type': is.text }),
  resources: is.resource('resources', {
    address: is.text,
    name: is.text,
    module: is.text,
    provider: is.text,
    'provider-type': is.text,
    'modified-by-state-version-id': is.text,
    'name-index': is.textOrNull,
    'created-at': is.time,
    'updated-at': is.time,
    dependencies: is.textsOrNull,
  }),
  'state-version-graphs': is.resource('state-version-graphs', {
    reason: is.textOrNull,
    'resource-count': is.integer,
    resources: Type.Array(
      Type.Object({ ...one, address: is.text, instances: is.integer, dependencies: Type.Array(is.integer) }),
    ),
  }),
  'state-version-diffs': is.resource(
    'state-version-diffs',
    {
      comparable: is.flag,
      reason: is.textOrNull,
      resources: changes({ ...one, address: is.text }),
      outputs: changes({ name: is.text, sensitive: is.flag }),
      'changed-by': Type.Object({ type: is.text, id: is.text, certificate }),
      'changed-at': is.time,
      'serial-from': is.integerOrNull,
      'serial-to': is.integer,
    },
    {
      from: is.toOne('state-versions'),
      to: is.toOne('state-versions'),
      run: is.toOne('runs'),
      'created-by': is.toOne(),
    },
  ),
};
