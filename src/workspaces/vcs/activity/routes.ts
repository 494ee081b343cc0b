import { Type } from 'typebox';
import { type AnyRequest, type Api, urlOf } from '../../http/api.ts';
import { parseInclude } from '../../jsonapi/include.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id, text, timestamp } from '../../jsonapi/schema.ts';
import { accepted, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../../tenancy/index.ts';
import { OAuthClientResource } from '../connection/resource.ts';
import type { RepositoryView, VcsActivity } from './activity.ts';
import type { EventPages } from './event-page.ts';
import { DeliveryResource, EventResource, LinkResource, RepositoryResource, VerdictResource } from './resource.ts';

const OfOrganization = Type.Object({ organization_name: Id });
const OfWorkspace = Type.Object({ workspace_id: Id });
const OfClient = Type.Object({ oauth_client_id: Id });
const OfInstallation = Type.Object({ github_app_installation_id: Id });
const OfEvent = Type.Object({ vcs_event_id: Id });
const One = Type.Object({ vcs_repository_id: Id });
const List = Type.Object(pageQuery);
const words = Type.Optional(text(1000));
const Events = Type.Object({
  ...pageQuery,
  'filter[from]': Type.Optional(timestamp),
  'filter[to]': Type.Optional(timestamp),
  'filter[oauth_client_external_ids]': words,
  'filter[levels]': words,
  include: words,
});

/** Default period of the events of an organization, as in HCP Terraform, milliseconds. */
const USUAL_PERIOD = 10 * 24 * 3_600_000;

const listOf = (value: string | undefined) => value?.split(',').filter((word) => word !== '');

/** Routes of the events and deliveries of repositories. */
export function activityRoutes(api: Api, activity: VcsActivity, pages: EventPages, clock: () => number): void {
  const one = { answer: resourceAnswer(RepositoryResource), schema: { params: One } };
  const shown = (view: RepositoryView, secret?: string) =>
    RepositoryResource.document(view, { url: activity.hookUrlOf(view.hook), secret });

  api.get(
    '/organizations/:organization_name/vcs-events',
    { answer: pageAnswer(EventResource), schema: { params: OfOrganization, querystring: Events } },
    async (request) => {
      const { query, params } = request;
      const actor = actorOf(request);
      const to = query['filter[to]'] === undefined ? clock() : Date.parse(query['filter[to]']);
      const from = query['filter[from]'] === undefined ? to - USUAL_PERIOD : Date.parse(query['filter[from]']);
      const oauthClientIds = listOf(query['filter[oauth_client_external_ids]']);
      const filter = { from, to, oauthClientIds, levels: listOf(query['filter[levels]']) };
      const page = pageOf(query);
      const { items, total } = await activity.events(actor, params.organization_name, filter, page);
      const wanted = parseInclude(query.include, ['oauth_client']);
      const clients = wanted.size > 0 ? await activity.clientsOf(actor, items) : [];
      const { origin } = urlOf(request);
      const included = clients.map((client) => OAuthClientResource.document(client, origin));
      return pageDocument(urlOf(request), page, total, items.map(EventResource.document), included);
    },
  );

  api.get(
    '/workspaces/:workspace_id/vcs-events',
    { answer: pageAnswer(EventResource), schema: { params: OfWorkspace, querystring: List } },
    async (request) => {
      const page = pageOf(request.query);
      const { items, total } = await activity.eventsOf(actorOf(request), request.params.workspace_id, page);
      return pageDocument(urlOf(request), page, total, items.map(EventResource.document));
    },
  );

  const event = { answer: resourceAnswer(EventResource), schema: { params: OfEvent } };
  api.get('/vcs-events/:vcs_event_id', event, async (request) => {
    return { data: EventResource.document(await pages.event(actorOf(request), request.params.vcs_event_id)) };
  });

  const verdicts = { answer: pageAnswer(VerdictResource), schema: { params: OfEvent, querystring: List } };
  api.get('/vcs-events/:vcs_event_id/verdicts', verdicts, async (request) => {
    const { vcs_event_id: id } = request.params;
    const page = pageOf(request.query);
    const { items, total } = await pages.verdicts(actorOf(request), id, page);
    return pageDocument(
      urlOf(request),
      page,
      total,
      items.map((verdict) => VerdictResource.document(verdict, id)),
    );
  });

  const followed = { answer: resourceAnswer(LinkResource), schema: { params: OfWorkspace } };
  api.get('/workspaces/:workspace_id/vcs-link', followed, async (request) => {
    const link = await activity.linkOf(actorOf(request), request.params.workspace_id);
    return { data: LinkResource.document(link, activity.hookUrlOf(link.hook)) };
  });

  api.post(
    '/workspaces/:workspace_id/actions/look-up',
    { answer: accepted, schema: { params: OfWorkspace } },
    async (request, reply) => {
      await activity.lookUpOf(actorOf(request), request.params.workspace_id);
      reply.code(202);
    },
  );

  api.get(
    '/oauth-clients/:oauth_client_id/vcs-repositories',
    { answer: pageAnswer(RepositoryResource), schema: { params: OfClient, querystring: List } },
    async (request) => {
      const page = pageOf(request.query);
      const { items, total } = await activity.repositoriesOf(actorOf(request), request.params.oauth_client_id, page);
      return pageDocument(
        urlOf(request),
        page,
        total,
        items.map((view) => shown(view)),
      );
    },
  );

  api.get(
    '/github-app-installations/:github_app_installation_id/vcs-repositories',
    { answer: pageAnswer(RepositoryResource), schema: { params: OfInstallation, querystring: List } },
    async (request) => {
      const page = pageOf(request.query);
      const { github_app_installation_id: id } = request.params;
      const { items, total } = await activity.repositoriesOfInstallation(actorOf(request), id, page);
      return pageDocument(
        urlOf(request),
        page,
        total,
        items.map((view) => shown(view)),
      );
    },
  );

  const idOf = (request: AnyRequest & { readonly params: { readonly vcs_repository_id: string } }) =>
    request.params.vcs_repository_id;

  api.get('/vcs-repositories/:vcs_repository_id', one, async (request) => {
    return { data: shown(await activity.repository(actorOf(request), idOf(request))) };
  });

  api.post('/vcs-repositories/:vcs_repository_id/actions/look-up', one, async (request) => {
    return { data: shown(await activity.lookUp(actorOf(request), idOf(request))) };
  });

  api.post('/vcs-repositories/:vcs_repository_id/actions/renew-webhook-secret', one, async (request) => {
    const { secret, ...view } = await activity.renewSecret(actorOf(request), idOf(request));
    return { data: shown(view, secret) };
  });

  api.get(
    '/vcs-repositories/:vcs_repository_id/deliveries',
    { answer: pageAnswer(DeliveryResource), schema: { params: One, querystring: List } },
    async (request) => {
      const page = pageOf(request.query);
      const { items, total } = await activity.deliveries(actorOf(request), idOf(request), page);
      return pageDocument(urlOf(request), page, total, items.map(DeliveryResource.document));
    },
  );
}
