import { type Static, Type } from 'typebox';
import { type AnyRequest, type Api, urlOf } from '../../http/api.ts';
import { type Resource, withIncluded } from '../../jsonapi/document.ts';
import { parseInclude } from '../../jsonapi/include.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id, identifiers, nullable, text } from '../../jsonapi/schema.ts';
import { done, made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { createBody, updateBody } from '../../resource/index.ts';
import { type Actor, actorOf, ProjectResource, type Projects } from '../../tenancy/index.ts';
import type { OAuthClients } from './clients.ts';
import type { OAuthClientView } from './connection.ts';
import type { ManualChecks } from './health/manual-checks.ts';
import { OAuthClientResource, OAuthTokenResource } from './resource.ts';

const OfOrganization = Type.Object({ organization_name: Id });
const One = Type.Object({ oauth_client_id: Id });
const include = Type.Optional(text(1000));

const pool = Type.Optional(Type.Object({ data: nullable(Type.Object({ id: text(100) })) }));
const ProjectList = identifiers('projects', { maxItems: 1000 });
const Create = createBody(OAuthClientResource, {
  'agent-pool': pool,
  projects: Type.Optional(Type.Object({ data: ProjectList })),
});
const Update = updateBody(OAuthClientResource, { 'agent-pool': pool });
const ProjectsBody = Type.Object({ data: ProjectList });

type Data = Static<typeof Update>['data'];

function inputOf({ attributes = {}, relationships }: Pick<Data, 'attributes' | 'relationships'>) {
  const related = relationships?.['agent-pool'];
  return {
    name: attributes.name,
    key: attributes.key ?? undefined,
    secret: attributes.secret ?? undefined,
    rsaPublicKey: attributes['rsa-public-key'] ?? undefined,
    entraTenantId: attributes['ado-entra-tenant-id'],
    privateKey: attributes['private-key'] ?? undefined,
    oauthToken: attributes['oauth-token-string'] ?? undefined,
    organizationScoped: attributes['organization-scoped'] ?? undefined,
    agentPoolId: related && (related.data?.id ?? null),
    httpUrl: attributes['http-url'] ?? undefined,
    apiUrl: attributes['api-url'] ?? undefined,
    allowedRepositories: attributes['allowed-repositories'] === null ? [] : attributes['allowed-repositories'],
  };
}

interface ClientParts {
  readonly oauthClients: OAuthClients;
  readonly manualChecks: ManualChecks;
  /** URL of this server, if it is configured. */
  readonly address: string | undefined;
}

/** Routes of connections to VCS providers. */
export function oauthClientRoutes(
  api: Api,
  { oauthClients: clients, manualChecks, address }: ClientParts,
  projects: Projects,
): void {
  const shown = (request: AnyRequest, client: OAuthClientView) =>
    OAuthClientResource.document(client, address ?? urlOf(request).origin);
  const ofOrganization = '/organizations/:organization_name/oauth-clients';
  const path = '/oauth-clients/:oauth_client_id';
  const answer = resourceAnswer(OAuthClientResource);

  async function included(actor: Actor, views: readonly OAuthClientView[], asked: string | undefined) {
    const words = parseInclude(asked, ['oauth_tokens', 'projects']);
    const resources: Resource[] = [];
    if (words.has('oauth_tokens')) resources.push(...(await clients.tokensOf(views)).map(OAuthTokenResource.document));
    if (words.has('projects')) {
      const ids = new Set(views.flatMap(({ projectIds }) => projectIds));
      resources.push(...(await projects.readable(actor, [...ids])).map((project) => ProjectResource.document(project)));
    }
    return resources;
  }

  api.get(
    ofOrganization,
    {
      answer: pageAnswer(OAuthClientResource),
      schema: { params: OfOrganization, querystring: Type.Object({ ...pageQuery, include }) },
    },
    async (request) => {
      const actor = actorOf(request);
      const page = pageOf(request.query);
      const { items, total } = await clients.list(actor, request.params.organization_name, page);
      const others = await included(actor, items, request.query.include);
      const resources = items.map((client) => shown(request, client));
      return pageDocument(urlOf(request), page, total, resources, others);
    },
  );

  api.post(
    ofOrganization,
    { answer: made(OAuthClientResource), schema: { params: OfOrganization, body: Create } },
    async (request, reply) => {
      const { attributes, relationships } = request.body.data;
      const input = {
        ...inputOf(request.body.data),
        serviceProvider: attributes['service-provider'],
        httpUrl: attributes['http-url'],
        apiUrl: attributes['api-url'],
        isCredentialLater: attributes['credential-later'] ?? false,
        projectIds: relationships?.projects?.data.map(({ id }) => id) ?? [],
      };
      const client = await clients.create(actorOf(request), request.params.organization_name, input);
      reply.code(201);
      return { data: shown(request, client) };
    },
  );

  api.get(path, { answer, schema: { params: One, querystring: Type.Object({ include }) } }, async (request) => {
    const actor = actorOf(request);
    const client = await clients.find(actor, request.params.oauth_client_id);
    return withIncluded(shown(request, client), await included(actor, [client], request.query.include));
  });

  api.patch(path, { answer, schema: { params: One, body: Update } }, async (request) => {
    const { oauth_client_id: id } = request.params;
    return { data: shown(request, await clients.update(actorOf(request), id, inputOf(request.body.data))) };
  });

  api.delete(path, { schema: { params: One } }, async (request, reply) => {
    await clients.delete(actorOf(request), request.params.oauth_client_id);
    reply.code(204);
  });

  // Like the check of a sign-in provider. HCP Terraform does not have it.
  api.post(`${path}/actions/check`, { answer, schema: { params: One } }, async (request) => {
    return { data: shown(request, await manualChecks.check(actorOf(request), request.params.oauth_client_id)) };
  });

  const change = { answer: done, schema: { params: One, body: ProjectsBody } };
  const idsOf = ({ body }: AnyRequest & { readonly body: Static<typeof ProjectsBody> }) =>
    body.data.map(({ id }) => id);

  api.post(`${path}/relationships/projects`, change, async (request, reply) => {
    await clients.addProjects(actorOf(request), request.params.oauth_client_id, idsOf(request));
    reply.code(204);
  });

  api.delete(`${path}/relationships/projects`, change, async (request, reply) => {
    await clients.removeProjects(actorOf(request), request.params.oauth_client_id, idsOf(request));
    reply.code(204);
  });
}
