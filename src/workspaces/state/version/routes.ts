import { type AnyRequest, type Api, apiOf, urlOf } from '../../http/api.ts';
import { acceptLongTexts } from '../../http/long-texts.ts';
import { pageDocument, pageOf } from '../../jsonapi/pagination.ts';
import { done, made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../../tenancy/index.ts';
import type { BackingData } from './backing-data.ts';
import { DifferenceResource, GraphResource, InstanceResource, OutputResource } from './content-resources.ts';
import type { StateContentsReader } from './contents-reader.ts';
import type { StateDifferences } from './differences.ts';
import type { StatePresenter } from './presenter.ts';
import { parseStateInclude } from './presenter.ts';
import { INLINE_BODY_BYTES, StateVersionResource } from './resource.ts';
import type { Rollbacks } from './rollbacks.ts';
import { DATA_ACTIONS, type DataAction } from './rules.ts';
import {
  CreateStateVersion,
  DiffQuery,
  Include,
  ListResources,
  ListStateVersions,
  OfWorkspace,
  OneOutput,
  OneStateVersion,
  Page,
  Rollback,
} from './schema.ts';
import type { StateVersions } from './versions.ts';

const askerOf = (request: AnyRequest) => ({ actor: actorOf(request), url: urlOf(request) });

/** Services behind the routes. */
export interface StateServices {
  readonly versions: StateVersions;
  readonly presenter: StatePresenter;
  readonly rollbacks: Rollbacks;
  readonly backingData: BackingData;
  readonly differences: StateDifferences;
  readonly reader: StateContentsReader;
  /** Seconds between the snapshots that `tofu` and `terraform` send during an apply; 0 for none. */
  readonly snapshotInterval: number;
}

/** Routes of state versions and their parsed data. The transfer routes serve the bytes. */
export function stateRoutes(api: Api, states: StateServices): void {
  api.register(async (scope) => {
    if (states.snapshotInterval > 0) {
      scope.addHook('onSend', async (_request, reply) => {
        reply.header('x-terraform-snapshot-interval', String(states.snapshotInterval));
      });
    }
    scope.register(async (inline) => {
      acceptLongTexts(inline);
      creationRoute(apiOf(inline), states);
    });
    versionRoutes(apiOf(scope), states);
    contentRoutes(apiOf(scope), states);
  });
}

/** The document may contain a state. */
function creationRoute(api: Api, { versions, presenter }: StateServices): void {
  api.post(
    '/workspaces/:workspace_id/state-versions',
    {
      answer: made(StateVersionResource),
      schema: { params: OfWorkspace, body: CreateStateVersion },
      bodyLimit: INLINE_BODY_BYTES,
    },
    async (request, reply) => {
      const asker = askerOf(request);
      const version = await versions.create(asker.actor, request.params.workspace_id, request.body.data);
      reply.code(201);
      return presenter.documentOf(asker, version);
    },
  );
}

function versionRoutes(api: Api, { versions, presenter, rollbacks, backingData, differences }: StateServices): void {
  api.patch(
    '/workspaces/:workspace_id/state-versions',
    { answer: made(StateVersionResource), schema: { params: OfWorkspace, body: Rollback } },
    async (request, reply) => {
      const asker = askerOf(request);
      const source = request.body.data.relationships['rollback-state-version'].data.id;
      const id = await rollbacks.to(asker.actor, request.params.workspace_id, source);
      reply.code(201);
      return presenter.documentOf(asker, await versions.find(asker.actor, id, 'can-create-state-versions'));
    },
  );

  const list = { answer: pageAnswer(StateVersionResource), schema: { querystring: ListStateVersions } };
  api.get('/state-versions', list, async (request) => {
    const asker = askerOf(request);
    const asked = parseStateInclude(request.query.include);
    const page = pageOf(request.query);
    const ref = {
      organization: request.query['filter[organization][name]'],
      name: request.query['filter[workspace][name]'],
    };
    const slice = await versions.list(asker.actor, ref, request.query['filter[status]'], page);
    return presenter.page(asker, page, slice, asked);
  });

  api.get(
    '/workspaces/:workspace_id/current-state-version',
    { answer: resourceAnswer(StateVersionResource), schema: { params: OfWorkspace, querystring: Include } },
    async (request) => {
      const asker = askerOf(request);
      const asked = parseStateInclude(request.query.include);
      const version = await versions.current(asker.actor, request.params.workspace_id, 'can-read-state-versions');
      return presenter.documentOf(asker, version, asked);
    },
  );

  api.get(
    '/state-versions/:state_version_id',
    { answer: resourceAnswer(StateVersionResource), schema: { params: OneStateVersion, querystring: Include } },
    async (request) => {
      const asker = askerOf(request);
      const asked = parseStateInclude(request.query.include);
      const version = await versions.find(asker.actor, request.params.state_version_id, 'can-read-state-versions');
      return presenter.documentOf(asker, version, asked);
    },
  );

  api.get(
    '/state-versions/:state_version_id/diff',
    { answer: resourceAnswer(DifferenceResource), schema: { params: OneStateVersion, querystring: DiffQuery } },
    async (request) => {
      const { state_version_id: id } = request.params;
      return { data: DifferenceResource.document(await differences.compare(actorOf(request), id, request.query.from)) };
    },
  );

  for (const action of Object.keys(DATA_ACTIONS) as DataAction[]) {
    api.post(
      `/state-versions/:state_version_id/actions/${action}`,
      { answer: done, schema: { params: OneStateVersion } },
      async (request, reply) => {
        await backingData.act(actorOf(request), request.params.state_version_id, action);
        reply.code(204);
      },
    );
  }
}

function contentRoutes(api: Api, { reader }: StateServices): void {
  api.get(
    '/state-versions/:state_version_id/outputs',
    { answer: pageAnswer(OutputResource), schema: { params: OneStateVersion, querystring: Page } },
    async (request) => {
      const page = pageOf(request.query);
      const { state_version_id: id } = request.params;
      const { items, total } = await reader.outputs(actorOf(request), id, page);
      const data = items.map((output) => OutputResource.document(output, { versionId: id, isMasked: false }));
      return pageDocument(urlOf(request), page, total, data);
    },
  );

  api.get(
    '/workspaces/:workspace_id/current-state-version-outputs',
    { answer: pageAnswer(OutputResource), schema: { params: OfWorkspace, querystring: Page } },
    async (request) => {
      const page = pageOf(request.query);
      const { versionId, slice } = await reader.currentOutputs(actorOf(request), request.params.workspace_id, page);
      const data = slice.items.map((output) => OutputResource.document(output, { versionId, isMasked: true }));
      return pageDocument(urlOf(request), page, slice.total, data);
    },
  );

  const one = { answer: resourceAnswer(OutputResource), schema: { params: OneOutput } };
  api.get('/state-version-outputs/:output_id', one, async (request) => {
    const { versionId, ...output } = await reader.output(actorOf(request), request.params.output_id);
    return { data: OutputResource.document(output, { versionId, isMasked: false }) };
  });

  api.get(
    '/workspaces/:workspace_id/resources',
    { answer: pageAnswer(InstanceResource), schema: { params: OfWorkspace, querystring: ListResources } },
    async (request) => {
      const { q: text, 'filter[address]': address, 'filter[module]': module } = request.query;
      const { 'filter[provider]': provider, 'filter[type]': type } = request.query;
      const page = pageOf(request.query);
      const { workspace_id: id } = request.params;
      const wanted = { text, address, module, provider, type };
      const { items, total } = await reader.resources(actorOf(request), id, wanted, page);
      const data = items.map((found) => InstanceResource.document(found, id));
      return pageDocument(urlOf(request), page, total, data);
    },
  );

  const graphed = { answer: resourceAnswer(GraphResource), schema: { params: OneStateVersion } };
  api.get('/state-versions/:state_version_id/graph', graphed, async (request) => {
    return { data: GraphResource.document(await reader.graph(actorOf(request), request.params.state_version_id)) };
  });
}
