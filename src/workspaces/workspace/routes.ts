import { type Static, Type } from 'typebox';
import { type AnyRequest, type Api, actorOf, urlOf } from '../http/api.ts';
import { withIncluded } from '../jsonapi/document.ts';
import { parseInclude } from '../jsonapi/include.ts';
import { pageDocument, pageOf } from '../jsonapi/pagination.ts';
import { Id, text } from '../jsonapi/schema.ts';
import type { WorkspaceDeletion } from './deletion.ts';
import { workspaceResource } from './document.ts';
import { INCLUDES, type IncludeSources, withIncludes } from './include.ts';
import { filterOf, ListQuery } from './list-filter.ts';
import { CreateWorkspace, type UpdateInput, UpdateWorkspace } from './schema.ts';
import type { WorkspaceService } from './service.ts';
import type { WorkspaceRef } from './workspace.ts';

const OfOrganization = Type.Object({ organization_name: Id });
const ById = Type.Object({ workspace_id: Id });
const ByName = Type.Object({ organization_name: Id, workspace_name: Id });
const ShowQuery = Type.Object({ include: Type.Optional(text(1000)) });

type OneRequest = AnyRequest & { readonly params: Static<typeof ById> | Static<typeof ByName> };

/** Both ways to name a workspace lead to the same operations. */
const ONE = [
  { path: '/workspaces/:workspace_id', params: ById },
  { path: '/organizations/:organization_name/workspaces/:workspace_name', params: ByName },
] as const;

function refOf({ params }: OneRequest): WorkspaceRef {
  if ('workspace_id' in params) return { id: params.workspace_id };
  return { organization: params.organization_name, name: params.workspace_name };
}

/** The services behind the routes. */
export interface WorkspaceRoutesOptions {
  readonly workspaces: WorkspaceService;
  readonly deletion: WorkspaceDeletion;
  readonly sources: IncludeSources;
}

/** Spec §4.1 to §4.6. */
export function workspaceRoutes(api: Api, { workspaces, deletion, sources }: WorkspaceRoutesOptions): void {
  api.post(
    '/organizations/:organization_name/workspaces',
    { schema: { params: OfOrganization, body: CreateWorkspace } },
    async (request, reply) => {
      const { organization_name: organization } = request.params;
      const created = await workspaces.create(actorOf(request), organization, request.body.data);
      reply.code(201);
      return { data: workspaceResource(created) };
    },
  );

  api.get(
    '/organizations/:organization_name/workspaces',
    { schema: { params: OfOrganization, querystring: ListQuery } },
    async (request) => {
      const actor = actorOf(request);
      const { organization_name: organization } = request.params;
      const asked = parseInclude(request.query.include, INCLUDES);
      const page = pageOf(request.query);
      const projectId = request.query['filter[project][id]'];
      const { items, total } = await workspaces.list(actor, organization, projectId, filterOf(request.query), page);
      const { data, included } = await withIncludes(sources, actor, items, asked);
      return pageDocument(urlOf(request), page, total, data, included);
    },
  );

  async function show(request: OneRequest & { readonly query: Static<typeof ShowQuery> }) {
    const actor = actorOf(request);
    const asked = parseInclude(request.query.include, INCLUDES);
    const workspace = await workspaces.show(actor, refOf(request));
    const { data, included } = await withIncludes(sources, actor, [workspace], asked);
    return withIncluded(data[0] ?? workspaceResource(workspace), included);
  }

  async function update(request: OneRequest & { readonly body: { readonly data: UpdateInput } }) {
    return { data: workspaceResource(await workspaces.update(actorOf(request), refOf(request), request.body.data)) };
  }

  for (const { path, params } of ONE) {
    const one = { schema: { params } };
    api.get(path, { schema: { params, querystring: ShowQuery } }, show);
    api.patch(path, { schema: { params, body: UpdateWorkspace } }, update);

    api.delete(path, one, async (request, reply) => {
      await deletion.force(actorOf(request), refOf(request));
      reply.code(204);
    });

    api.post(`${path}/actions/safe-delete`, one, async (request, reply) => {
      await deletion.safely(actorOf(request), refOf(request));
      reply.code(204);
    });
  }
}
