import { type TProperties, Type } from 'typebox';
import type { LongText } from '../../../lib/long-json/long-text.ts';
import { nullable, text } from '../../jsonapi/schema.ts';
import {
  attribute,
  is,
  linkedToMany,
  linkedToOne,
  linkedToOneOf,
  resourceOf,
  time,
  toOne,
} from '../../resource/index.ts';
import type { RunCommit } from '../hooks/hooks.ts';
import { outputIds } from '../reader/outputs.ts';
import type { Overview } from '../reader/state-reader.ts';
import type { StateLinkKind } from './links.ts';
import { STATUSES, type StateVersion } from './state-version.ts';

/**
 * Maximum size of a request that contains a state.
 * @limit a state in a request, bytes -> 413; larger states must be uploaded separately
 */
export const INLINE_BODY_BYTES = 33_554_432;
/** @limit the text of json-state-outputs, characters -> 422 */
export const MAX_OUTPUTS_TEXT = 5_592_408;

/** A long text is parsed in chunks. */
const longText = (maxLength: number) =>
  Type.Optional(Type.Unsafe<string | LongText | null>(nullable(Type.String({ maxLength }))));
const flag = Type.Optional(nullable(Type.Boolean()));

/** Schema of the certificate of the machine that created a version. */
export const Certificate = nullable(
  Type.Object({ mount: is.text, role: is.text, subject: is.text, 'serial-number': is.text }),
);
/** Schemas of the members of a resource in a state. */
export const RECORD = { name: is.text, type: is.text, module: is.text, provider: is.text } satisfies TProperties;

const counts = Type.Unsafe<Overview['modules']>(is.mapOf(is.mapOf(is.integer)));
const Summary = Type.Array(Type.Object({ ...RECORD, count: is.integer }));

/** Everything besides the version that its document shows. */
export interface VersionContext {
  readonly overview: Overview;
  /** Returns the URL of one operation on the version for the actor; null when the actor may not. */
  readonly linkOf: (kind: StateLinkKind) => string | null;
  readonly commit: RunCommit | undefined;
}

const pathOf = ({ id }: StateVersion) => `/api/v2/state-versions/${id}`;

/** A state version. Create, read and list return the same document. */
export const StateVersionResource = resourceOf<StateVersion, [context: VersionContext]>()('state-versions', {
  attributes: {
    modules: attribute(counts, (_, { overview }) => overview.modules),
    providers: attribute(counts, (_, { overview }) => overview.providers),
    resources: attribute(Summary, (_, { overview }) => overview.resources),
    'billable-rum-count': attribute(is.integer, 'resourceCount'),
    'created-at': time('createdAt'),
    'created-by-certificate': attribute(Certificate, certificateOf),
    encrypted: attribute(is.flag, 'encrypted'),
    'hosted-json-state-download-url': attribute(is.textOrNull, ({ status, jsonBlob }, { linkOf }) =>
      status === 'finalized' && jsonBlob !== null ? linkOf('json-download') : null,
    ),
    'hosted-json-state-upload-url': attribute(is.textOrNull, ({ status, jsonBlob }, { linkOf }) =>
      (status === 'pending' || status === 'finalized') && jsonBlob === null ? linkOf('json-upload') : null,
    ),
    'hosted-state-download-url': attribute(is.textOrNull, ({ status }, { linkOf }) =>
      status === 'finalized' ? linkOf('state-download') : null,
    ),
    'hosted-state-upload-url': attribute(is.textOrNull, ({ status }, { linkOf }) =>
      status === 'pending' ? linkOf('state-upload') : null,
    ),
    intermediate: attribute(is.flag, 'intermediate', { create: flag }),
    lineage: attribute(is.textOrNull, 'lineage', { create: Type.Optional(nullable(text(255))) }),
    md5: attribute(is.text, 'md5', { create: Type.String({ pattern: '^[0-9A-Fa-f]{32}$' }) }),
    'resources-processed': attribute(is.flag, ({ status }) => status !== 'pending'),
    serial: attribute(is.integer, 'serial', {
      create: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    }),
    force: { create: flag },
    state: { create: longText(INLINE_BODY_BYTES) },
    'json-state': { create: longText(INLINE_BODY_BYTES) },
    'json-state-outputs': { create: longText(MAX_OUTPUTS_TEXT) },
    size: attribute(is.integer, 'size'),
    'state-version': attribute(is.integerOrNull, 'format'),
    status: attribute(Type.Enum([...STATUSES]), 'status'),
    'terraform-version': attribute(is.textOrNull, 'engineVersion'),
    'vcs-commit-sha': attribute(is.textOrNull, (_, { commit }) => commit?.sha ?? null),
    'vcs-commit-url': attribute(is.textOrNull, (_, { commit }) => commit?.url ?? null),
  },
  relationships: {
    'created-by': linkedToOneOf([], ({ creator }) => creator),
    outputs: linkedToMany(
      'state-version-outputs',
      ({ id, outputCount }) => outputIds(id, outputCount),
      (version) => `${pathOf(version)}/outputs`,
    ),
    'rollback-state-version': toOne('state-versions', 'rollbackOf'),
    run: toOne('runs', 'runId'),
    workspace: linkedToOne('workspaces', 'workspaceId'),
  },
  links: (version) => ({ self: pathOf(version) }),
});

/** Returns the certificate of the machine that created a version; null for none. */
export function certificateOf({ creator: { certificate } }: StateVersion) {
  if (certificate === undefined) return null;
  const { mount, role, subject, serialNumber } = certificate;
  return { mount, role, subject, 'serial-number': serialNumber };
}
