import { type TProperties, Type } from 'typebox';
import { isoTime } from '../../../lib/clock.ts';
import { attribute, is, relationship, resourceOf, toOne } from '../../resource/index.ts';
import { type Output, outputId, shortType } from '../reader/outputs.ts';
import { whyUnread } from '../reader/readable.ts';
import { addressOf, moduleName, providerSource, shownAddress } from '../reader/resource-address.ts';
import type { Missing } from '../reader/resource-graph.ts';
import type { Difference, ResourceRecord } from '../reader/resources.ts';
import type { FoundResource, NumberedOutput, VersionGraph } from './contents-reader.ts';
import type { StateDifference } from './differences.ts';
import { Certificate, certificateOf, RECORD } from './resource.ts';

/** The version of an output, and whether the value of a sensitive output is omitted. */
export interface OutputContext {
  readonly versionId: string;
  readonly isMasked: boolean;
}

const idOf = ({ index }: NumberedOutput, { versionId }: OutputContext) => outputId(versionId, index);

const OUTPUT = {
  name: attribute(is.text, ({ output }: NumberedOutput) => output.name),
  sensitive: attribute(is.flag, ({ output }: NumberedOutput) => output.sensitive),
  type: attribute(is.text, ({ output }: NumberedOutput) => shortType(output)),
  // A value can have any type of the engine.
  value: attribute(Type.Unknown(), ({ output }: NumberedOutput, { isMasked }: OutputContext) =>
    isMasked && output.sensitive ? null : output.value,
  ),
  // Clients take an output without a value from the state itself.
  'detailed-type': attribute(Type.Optional(Type.Unknown()), ({ output }: NumberedOutput) => output.detailedType),
};

/** An output of a state version. */
export const OutputResource = resourceOf<NumberedOutput, [context: OutputContext]>()('state-version-outputs', {
  id: idOf,
  attributes: OUTPUT,
  links: (output, context) => ({ self: `/api/v2/state-version-outputs/${idOf(output, context)}` }),
});

/** An output of the current state of a workspace, in the form of the workspace's document. */
export const WorkspaceOutputResource = resourceOf<NumberedOutput, [context: OutputContext]>()('workspace-outputs', {
  id: idOf,
  attributes: { ...OUTPUT, 'output-type': attribute(is.text, ({ output }) => shortType(output)) },
});

/** An instance that a workspace manages. Its module has no prefix `module.`. */
export const InstanceResource = resourceOf<FoundResource, [workspaceId: string]>()('resources', {
  id: ({ index }, workspaceId) => `wsr-${workspaceId.slice('ws-'.length)}-${index}`,
  attributes: {
    address: attribute(is.text, ({ record }) => shownAddress(record)),
    name: attribute(is.text, ({ record }) => record.name),
    module: attribute(is.text, ({ record }) => moduleName(record.module)),
    provider: attribute(is.text, ({ record }) => providerSource(record.provider)),
    'provider-type': attribute(is.text, ({ record }) => record.type),
    'modified-by-state-version-id': attribute(is.text, ({ record }) => record.modifiedBy),
    'name-index': attribute(is.textOrNull, ({ record: { index } }) => (index === null ? null : String(index))),
    'created-at': attribute(is.time, ({ record }) => isoTime(record.createdAt)),
    'updated-at': attribute(is.time, ({ record }) => isoTime(record.modifiedAt)),
    dependencies: attribute(is.textsOrNull, 'dependencies'),
  },
});

const MISSING: Readonly<Record<Exclude<Missing, 'unreadable'>, string>> = {
  older: 'This state was uploaded before the server stored dependencies. The next state will have a graph',
  many: 'The state has too many resources or dependencies for a graph',
};

/** The dependency graph of a version. */
export const GraphResource = resourceOf<VersionGraph>()('state-version-graphs', {
  id: ({ version }) => version.id,
  attributes: {
    reason: attribute(is.textOrNull, ({ version, graph: { missing } }) =>
      missing === 'unreadable' ? `This state ${whyUnread(version)}` : missing && MISSING[missing],
    ),
    'resource-count': attribute(is.integer, ({ graph }) => graph.total),
    resources: attribute(
      Type.Array(
        Type.Object({ ...RECORD, address: is.text, instances: is.integer, dependencies: Type.Array(is.integer) }),
      ),
      ({ graph }) => graph.resources,
    ),
  },
  links: ({ version }) => ({ self: `/api/v2/state-versions/${version.id}/graph` }),
});

/** A comparison of two versions: names of changed resources and outputs without values. */
export const DifferenceResource = resourceOf<StateDifference>()('state-version-diffs', {
  id: ({ from, to }) => `${from?.id ?? 'none'}..${to.id}`,
  attributes: {
    comparable: attribute(is.flag, ({ unread }) => unread === undefined),
    reason: attribute(is.textOrNull, ({ unread }) => (unread === undefined ? null : `One of the two states ${unread}`)),
    resources: attribute(changes({ ...RECORD, address: is.text }), ({ resources }) => shown(resources, shownRecord)),
    outputs: attribute(changes({ name: is.text, sensitive: is.flag }), ({ outputs }) => shown(outputs, shownOutput)),
    'changed-by': attribute(Type.Object({ type: is.text, id: is.text, certificate: Certificate }), ({ to }) => ({
      type: to.creator.type,
      id: to.creator.id,
      certificate: certificateOf(to),
    })),
    'changed-at': attribute(is.time, ({ to }) => isoTime(to.createdAt)),
    'serial-from': attribute(is.integerOrNull, ({ from }) => from?.serial ?? null),
    'serial-to': attribute(is.integer, ({ to }) => to.serial),
  },
  relationships: {
    from: toOne('state-versions', ({ from }) => from?.id ?? null),
    to: toOne('state-versions', ({ to }) => to.id),
    run: toOne('runs', ({ to }) => to.runId),
    'created-by': relationship(is.toOne(), ({ to: { creator } }) => ({ data: { type: creator.type, id: creator.id } })),
  },
});

function changes<P extends TProperties>(properties: P) {
  const list = Type.Array(Type.Object(properties));
  return Type.Object({ added: list, changed: list, removed: list });
}

function shown<T, S>({ added, changed, removed }: Difference<T>, show: (item: T) => S) {
  return { added: added.map(show), changed: changed.map(show), removed: removed.map(show) };
}

function shownRecord(record: ResourceRecord) {
  return {
    address: addressOf(record),
    module: moduleName(record.module),
    type: record.type,
    name: record.name,
    provider: providerSource(record.provider),
  };
}

function shownOutput({ name, sensitive }: Output) {
  return { name, sensitive };
}
