import { isoTime } from '../../../lib/clock.ts';
import { linked, type Resource, toOne } from '../../jsonapi/document.ts';
import type { RunCommit } from '../hooks/hooks.ts';
import { type Output, outputId, outputIds, shortType } from '../reader/outputs.ts';
import { whyUnread } from '../reader/readable.ts';
import { addressOf, moduleName, providerSource, shownAddress } from '../reader/resource-address.ts';
import type { Missing, ResourceGraph } from '../reader/resource-graph.ts';
import type { ResourceRecord } from '../reader/resources.ts';
import type { Overview } from '../reader/state-reader.ts';
import type { FoundResource } from './contents-reader.ts';
import type { StateDifference } from './differences.ts';
import type { StateLinkKind } from './links.ts';
import type { StateVersion } from './state-version.ts';

/** Returns the URL of one operation on the version for the actor; null when the actor may not. */
export type LinkOf = (kind: StateLinkKind) => string | null;

const path = (version: StateVersion) => `/api/v2/state-versions/${version.id}`;

/** Returns the document of a state version. Create, read and list return the same document. */
export function stateVersionResource(
  version: StateVersion,
  overview: Overview,
  linkOf: LinkOf,
  commit: RunCommit | undefined,
): Resource {
  const { id, status, creator, jsonBlob } = version;
  const isThere = status === 'finalized';
  const isPending = status === 'pending';
  const hasJson = jsonBlob !== null;
  return {
    id,
    type: 'state-versions',
    attributes: {
      ...overview,
      'billable-rum-count': version.resourceCount,
      'created-at': isoTime(version.createdAt),
      'created-by-certificate': certificateOf(version),
      encrypted: version.encrypted,
      'hosted-json-state-download-url': isThere && hasJson ? linkOf('json-download') : null,
      'hosted-json-state-upload-url': (isPending || isThere) && !hasJson ? linkOf('json-upload') : null,
      'hosted-state-download-url': isThere ? linkOf('state-download') : null,
      'hosted-state-upload-url': isPending ? linkOf('state-upload') : null,
      intermediate: version.intermediate,
      lineage: version.lineage,
      md5: version.md5,
      'resources-processed': !isPending,
      serial: version.serial,
      size: version.size,
      'state-version': version.format,
      status,
      'terraform-version': version.engineVersion,
      'vcs-commit-sha': commit?.sha ?? null,
      'vcs-commit-url': commit?.url ?? null,
    },
    relationships: {
      'created-by': {
        data: { type: creator.type, id: creator.id },
        ...linked(`/api/v2/${creator.type}/${creator.id}`),
      },
      outputs: {
        data: outputIds(id, version.outputCount).map((output) => ({ type: 'state-version-outputs', id: output })),
        ...linked(`${path(version)}/outputs`),
      },
      'rollback-state-version': toOne('state-versions', version.rollbackOf),
      run: toOne('runs', version.runId),
      workspace: {
        ...toOne('workspaces', version.workspaceId),
        ...linked(`/api/v2/workspaces/${version.workspaceId}`),
      },
    },
    links: { self: path(version) },
  };
}

function certificateOf({ creator: { certificate } }: StateVersion) {
  if (certificate === undefined) return null;
  const { mount, role, subject, serialNumber } = certificate;
  return { mount, role, subject, 'serial-number': serialNumber };
}

/**
 * Returns the document of an output.
 * @param masked whether the value of a sensitive output is omitted
 */
export function outputResource(versionId: string, output: Output, index: number, masked: boolean): Resource {
  const { name, sensitive, value, detailedType } = output;
  const id = outputId(versionId, index);
  return {
    id,
    type: 'state-version-outputs',
    attributes: {
      name,
      sensitive,
      type: shortType(output),
      value: masked && sensitive ? null : value,
      // Clients take an output without a value from the state itself.
      ...(detailedType === undefined ? {} : { 'detailed-type': detailedType }),
    },
    links: { self: `/api/v2/state-version-outputs/${id}` },
  };
}

/** Returns the outputs in the form of a workspace's document, without sensitive values. */
export function workspaceOutputResource(versionId: string, output: Output, index: number): Resource {
  const { id, attributes } = outputResource(versionId, output, index, true);
  return { id, type: 'workspace-outputs', attributes: { ...attributes, 'output-type': shortType(output) } };
}

/** Returns the document of an instance that a workspace manages. Its module has no prefix `module.`. */
export function resourceResource(workspaceId: string, { record, index, dependencies }: FoundResource): Resource {
  const { module, name, provider, type, createdAt, modifiedAt, modifiedBy } = record;
  return {
    id: `wsr-${workspaceId.slice('ws-'.length)}-${index}`,
    type: 'resources',
    attributes: {
      address: shownAddress(record),
      name,
      module: moduleName(module),
      provider: providerSource(provider),
      'provider-type': type,
      'modified-by-state-version-id': modifiedBy,
      'name-index': record.index === null ? null : String(record.index),
      'created-at': isoTime(createdAt),
      'updated-at': isoTime(modifiedAt),
      dependencies,
    },
  };
}

const MISSING: Readonly<Record<Exclude<Missing, 'unreadable'>, string>> = {
  older: 'This state was uploaded before the server stored dependencies. The next state will have a graph',
  many: 'The state has too many resources or dependencies for a graph',
};

/** Returns the document of a dependency graph. */
export function graphResource(version: StateVersion, { missing, total, resources }: ResourceGraph): Resource {
  const { id } = version;
  const reason = missing === 'unreadable' ? `This state ${whyUnread(version)}` : missing && MISSING[missing];
  return {
    id,
    type: 'state-version-graphs',
    attributes: { reason, 'resource-count': total, resources },
    links: { self: `/api/v2/state-versions/${id}/graph` },
  };
}

const resourceOf = (record: ResourceRecord) => ({
  address: addressOf(record),
  module: moduleName(record.module),
  type: record.type,
  name: record.name,
  provider: providerSource(record.provider),
});
const outputOf = ({ name, sensitive }: Output) => ({ name, sensitive });

/** Returns the document of a comparison: names of changed resources and outputs without values. */
export function differenceResource({ from, to, unread, resources, outputs }: StateDifference): Resource {
  return {
    id: `${from?.id ?? 'none'}..${to.id}`,
    type: 'state-version-diffs',
    attributes: {
      comparable: unread === undefined,
      reason: unread === undefined ? null : `One of the two states ${unread}`,
      resources: {
        added: resources.added.map(resourceOf),
        changed: resources.changed.map(resourceOf),
        removed: resources.removed.map(resourceOf),
      },
      outputs: {
        added: outputs.added.map(outputOf),
        changed: outputs.changed.map(outputOf),
        removed: outputs.removed.map(outputOf),
      },
      'changed-by': { type: to.creator.type, id: to.creator.id, certificate: certificateOf(to) },
      'changed-at': isoTime(to.createdAt),
      'serial-from': from?.serial ?? null,
      'serial-to': to.serial,
    },
    relationships: {
      from: toOne('state-versions', from?.id ?? null),
      to: toOne('state-versions', to.id),
      run: toOne('runs', to.runId),
      'created-by': { data: { type: to.creator.type, id: to.creator.id } },
    },
  };
}
