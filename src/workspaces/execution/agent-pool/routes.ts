import { type Static, Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { type Resource, withIncluded } from '../../jsonapi/document.ts';
import { parseInclude } from '../../jsonapi/include.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id, text } from '../../jsonapi/schema.ts';
import { made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { createBody, updateBody } from '../../resource/index.ts';
import { type Actor, actorOf } from '../../tenancy/index.ts';
import type { WorkspaceFinder, WorkspacePresenter } from '../../workspace/index.ts';
import type { PoolInput, PoolView } from './agent-pool.ts';
import type { AgentPools } from './agent-pools.ts';
import { AgentPoolResource } from './resource.ts';

const OfOrganization = Type.Object({ organization_name: Id });
const One = Type.Object({ agent_pool_id: Id });
const include = Type.Optional(text(1000));
const filter = Type.Optional(text(255));
const List = Type.Object({
  ...pageQuery,
  include,
  q: filter,
  'filter[allowed_workspaces][name]': filter,
  // The attribute has two spellings, because official clients use both.
  'filter[allowed-workspaces][name]': filter,
  'filter[allowed_projects][name]': filter,
  sort: Type.Optional(Type.Enum(['name', '-name', 'created-at', '-created-at'])),
});

/** Official clients send complete resources. */
const ids = Type.Optional(Type.Object({ data: Type.Array(Type.Object({ id: text(100) }), { maxItems: 1000 }) }));
const relationships = { 'allowed-workspaces': ids, 'excluded-workspaces': ids, 'allowed-projects': ids };
const Create = createBody(AgentPoolResource, relationships);
const Update = updateBody(AgentPoolResource, relationships);

function inputOf({ attributes = {}, relationships: given }: Static<typeof Update>['data']): PoolInput {
  const idsOf = (name: keyof typeof relationships) => given?.[name]?.data.map(({ id }) => id);
  return {
    name: attributes.name,
    organizationScoped: attributes['organization-scoped'] ?? undefined,
    allowedWorkspaces: idsOf('allowed-workspaces'),
    excludedWorkspaces: idsOf('excluded-workspaces'),
    allowedProjects: idsOf('allowed-projects'),
  };
}

/** Services of the routes. */
export interface AgentPoolRoutesOptions {
  readonly pools: AgentPools;
  readonly finder: WorkspaceFinder;
  readonly presenter: WorkspacePresenter;
}

/** Agent pool routes. */
export function agentPoolRoutes(api: Api, { pools, finder, presenter }: AgentPoolRoutesOptions): void {
  const ofOrganization = '/organizations/:organization_name/agent-pools';
  const path = '/agent-pools/:agent_pool_id';

  async function included(actor: Actor, views: readonly PoolView[], asked: string | undefined): Promise<Resource[]> {
    if (!parseInclude(asked, ['workspaces']).has('workspaces')) return [];
    const byOrganization = Map.groupBy(views, ({ organizationId }) => organizationId);
    const found = [...byOrganization].map(async ([organizationId, own]) => {
      const targets = own.flatMap(({ links }) => links).filter(({ kind }) => kind === 'workspaces');
      const workspaces = targets.slice(0, MAX_INCLUDED).map(({ target }) => target);
      return presenter.resourcesOf(actor, await finder.readable(actor, organizationId, workspaces));
    });
    return (await Promise.all(found)).flat();
  }

  api.get(
    ofOrganization,
    { answer: pageAnswer(AgentPoolResource), schema: { params: OfOrganization, querystring: List } },
    async (request) => {
      const { query } = request;
      const actor = actorOf(request);
      const page = pageOf(query);
      const wanted = {
        query: query.q ?? '',
        workspaceName: query['filter[allowed_workspaces][name]'] ?? query['filter[allowed-workspaces][name]'] ?? '',
        projectName: query['filter[allowed_projects][name]'] ?? '',
        sort: query.sort,
      };
      const { items, total } = await pools.list(actor, request.params.organization_name, wanted, page);
      const others = await included(actor, items, query.include);
      return pageDocument(urlOf(request), page, total, items.map(AgentPoolResource.document), others);
    },
  );

  api.post(
    ofOrganization,
    { answer: made(AgentPoolResource), schema: { params: OfOrganization, body: Create } },
    async (request, reply) => {
      const { data } = request.body;
      const input = { ...inputOf(data), name: data.attributes.name };
      const pool = await pools.create(actorOf(request), request.params.organization_name, input);
      reply.code(201);
      return { data: AgentPoolResource.document(pool) };
    },
  );

  api.get(
    path,
    { answer: resourceAnswer(AgentPoolResource), schema: { params: One, querystring: Type.Object({ include }) } },
    async (request) => {
      const actor = actorOf(request);
      const pool = await pools.find(actor, request.params.agent_pool_id);
      return withIncluded(AgentPoolResource.document(pool), await included(actor, [pool], request.query.include));
    },
  );

  api.patch(
    path,
    { answer: resourceAnswer(AgentPoolResource), schema: { params: One, body: Update } },
    async (request) => {
      const { agent_pool_id: id } = request.params;
      return { data: AgentPoolResource.document(await pools.update(actorOf(request), id, inputOf(request.body.data))) };
    },
  );

  api.delete(path, { schema: { params: One } }, async (request, reply) => {
    await pools.delete(actorOf(request), request.params.agent_pool_id);
    reply.code(204);
  });
}

/**
 * Maximum number of included workspaces. Others are only referenced.
 * @limit included workspaces of a pool, workspaces -> the others are only referenced
 */
const MAX_INCLUDED = 100;
