import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { type AnyRequest, type Api, urlOf } from '../../http/api.ts';
import { type Page, pageOf } from '../../jsonapi/pagination.ts';
import { Id, text } from '../../jsonapi/schema.ts';
import { countedPage, done, made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { type Actor, actorOf } from '../../tenancy/index.ts';
import type { WorkspaceDeletion } from '../deletion/deletion.ts';
import { askedOf, type WorkspacePresenter } from '../document/presenter.ts';
import type { PrefetchedPart } from '../hooks/hooks.ts';
import { filterOf, ListQuery } from '../list/filter.ts';
import type { PrefetchedList } from '../list/first-page.ts';
import type { Workspace, WorkspaceRef } from '../model/workspace.ts';
import { WorkspaceResource } from '../settings/resource.ts';
import { CreateWorkspace, type UpdateInput, UpdateWorkspace } from '../settings/schema.ts';
import type { WorkspaceService } from './workspace-service.ts';

const OfOrganization = Type.Object({ organization_name: Id });
const OfTeam = Type.Object({ team_id: Id });
const ById = Type.Object({ workspace_id: Id });
const ByName = Type.Object({ organization_name: Id, workspace_name: Id });
const TeamQuery = Type.Pick(ListQuery, ['page[number]', 'page[size]', 'search[name]', 'sort']);
const ShowQuery = Type.Object({ include: Type.Optional(text(1000)) });

type OneRequest = AnyRequest & { readonly params: Static<typeof ById> | Static<typeof ByName> };

/** Both ways to name a workspace have the same operations. */
const ONE = [
  { path: '/workspaces/:workspace_id', params: ById },
  { path: '/organizations/:organization_name/workspaces/:workspace_name', params: ByName },
] as const;

function refOf({ params }: OneRequest): WorkspaceRef {
  if ('workspace_id' in params) return { id: params.workspace_id };
  return { organization: params.organization_name, name: params.workspace_name };
}

const PLAIN = ['page[number]', 'page[size]'];

/**
 * Returns the page that an unvalidated query requests, if it has no other parameters. Returns undefined for any other
 * query.
 */
function plainPageOf(query: Readonly<Record<string, unknown>>): Page | undefined {
  const isPlain = Object.entries(query).every(
    ([name, value]) => PLAIN.includes(name) && /^[1-9]\d{0,3}$/.test(`${value}`),
  );
  return isPlain ? pageOf(query) : undefined;
}

/** Data that was prefetched before the actor was known. */
interface Ahead {
  readonly workspace: Promise<Workspace | undefined>;
  readonly parts: Promise<readonly PrefetchedPart[]> | undefined;
}

/** Services behind the routes. */
export interface WorkspaceRoutesOptions {
  readonly workspaces: WorkspaceService;
  readonly deletion: WorkspaceDeletion;
  readonly presenter: WorkspacePresenter;
}

/** Routes of workspaces (spec §4.1 to §4.6). */
export function workspaceResourceRoutes(api: Api, { workspaces, deletion, presenter }: WorkspaceRoutesOptions): void {
  api.post(
    '/organizations/:organization_name/workspaces',
    { answer: made(WorkspaceResource), schema: { params: OfOrganization, body: CreateWorkspace } },
    async (request, reply) => {
      const actor = actorOf(request);
      const created = await workspaces.create(actor, request.params.organization_name, request.body.data);
      reply.code(201);
      return presenter.one(actor, created);
    },
  );

  const begunLists = new WeakMap<object, PrefetchedList>();

  function prefetchList(request: FastifyRequest, last: Actor): void {
    const { params, query } = request as FastifyRequest & { params: Static<typeof OfOrganization> };
    const prefetch = workspaces.prefetchList(
      last,
      params.organization_name,
      plainPageOf(query as Readonly<Record<string, unknown>>),
    );
    if (prefetch !== undefined) begunLists.set(request, prefetch);
  }

  api.get(
    '/organizations/:organization_name/workspaces',
    {
      answer: countedPage(WorkspaceResource),
      schema: { params: OfOrganization, querystring: ListQuery },
      config: { prefetch: prefetchList },
    },
    async (request) => {
      const actor = actorOf(request);
      const { organization_name: organization } = request.params;
      const url = urlOf(request);
      const asked = askedOf(request.query.include, url);
      const page = pageOf(request.query);
      const projectId = request.query['filter[project][id]'] || undefined;
      const slice = await workspaces.list(actor, organization, projectId, filterOf(request.query), page, {
        prefetch: begunLists.get(request),
        counts: request.query.counts === 'true',
      });
      return presenter.page(actor, url, page, slice, asked);
    },
  );

  const ofTeam = { answer: pageAnswer(WorkspaceResource), schema: { params: OfTeam, querystring: TeamQuery } };
  api.get('/teams/:team_id/workspaces', ofTeam, async (request) => {
    const page = pageOf(request.query);
    const { team_id: team } = request.params;
    const { asTeam, listing } = await workspaces.ofTeam(actorOf(request), team, filterOf(request.query), page);
    return presenter.page(asTeam, urlOf(request), page, listing);
  });

  const begun = new WeakMap<object, Ahead>();

  /** Prefetches in parallel with authentication, to save a round trip to the database. */
  function prefetch(request: OneRequest): void {
    const ref = refOf(request);
    const workspace = workspaces.prefetch(ref);
    if (workspace === undefined) return;
    const parts = 'id' in ref ? presenter.prefetch(ref.id) : undefined;
    // A refused request does not await this promise: its rejection must be handled here.
    for (const read of [workspace, parts]) read?.catch(() => {});
    begun.set(request, { workspace, parts });
  }

  async function show(request: OneRequest & { readonly query: Static<typeof ShowQuery> }) {
    const actor = actorOf(request);
    const asked = askedOf(request.query.include, urlOf(request));
    const { workspace, parts } = begun.get(request) ?? {};
    return presenter.one(actor, await workspaces.show(actor, refOf(request), workspace), asked, parts);
  }

  async function update(request: OneRequest & { readonly body: { readonly data: UpdateInput } }) {
    const actor = actorOf(request);
    return presenter.one(actor, await workspaces.update(actor, refOf(request), request.body.data));
  }

  const answer = resourceAnswer(WorkspaceResource);
  for (const { path, params } of ONE) {
    const one = { answer: done, schema: { params } };
    const config = { prefetch: (request: FastifyRequest) => prefetch(request as FastifyRequest & OneRequest) };
    api.get(path, { answer, schema: { params, querystring: ShowQuery }, config }, show);
    api.patch(path, { answer, schema: { params, body: UpdateWorkspace } }, update);

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
