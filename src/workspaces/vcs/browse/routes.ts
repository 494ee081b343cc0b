import { type Static, Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id, text } from '../../jsonapi/schema.ts';
import { listAnswer, nextPageAnswer, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../../tenancy/index.ts';
import type { Browse } from './browse.ts';
import { connectionIn, ofRepository } from './connection-query.ts';
import {
  AppRepositoryResource,
  AuthorizedRepositoryResource,
  BranchResource,
  FolderResource,
  OwnerResource,
  RepositoryCheckResource,
} from './resource.ts';

const line = Type.Optional(text(1024));
const OfToken = Type.Object({ oauth_token_id: Id });
const OfOrganization = Type.Object({ organization_name: Id });
const OfInstallation = Type.Object({ github_app_installation_id: Id });
const InOrganization = Type.Object({ organization_name: Id, github_app_installation_id: Id });
const Search = Type.Object({ ...pageQuery, organization: line, 'search[name]': line });

type SearchQuery = Static<typeof Search>;

/** Routes by which a client chooses a repository. HCP Terraform does not document them. */
export function browseRoutes(api: Api, browse: Browse): void {
  api.get(
    '/oauth-tokens/:oauth_token_id/authorized-repos',
    { answer: nextPageAnswer(AuthorizedRepositoryResource), schema: { params: OfToken, querystring: Search } },
    async (request) => {
      const { oauth_token_id: id } = request.params;
      const { organization, 'search[name]': search = '' } = request.query;
      const page = pageOf(request.query).number;
      const found = await browse.repositories(actorOf(request), id, { search, organization, page });
      return {
        data: found.items.map((one) => AuthorizedRepositoryResource.document(one, id)),
        meta: { 'next-page': found.nextPage },
      };
    },
  );

  api.get(
    '/oauth-tokens/:oauth_token_id/vcs-organizations',
    { answer: listAnswer(OwnerResource), schema: { params: OfToken } },
    async (request) => {
      const names = await browse.owners(actorOf(request), request.params.oauth_token_id);
      return { data: names.map((name) => OwnerResource.document({ name })) };
    },
  );

  api.get(
    '/organizations/:organization_name/vcs/repo',
    {
      answer: resourceAnswer(RepositoryCheckResource),
      schema: { params: OfOrganization, querystring: Type.Object(ofRepository) },
    },
    async (request) => {
      const { identifier } = request.query;
      const { organization_name: organization } = request.params;
      const id = connectionIn(request.query);
      const found = await browse.repository(actorOf(request), organization, id, identifier);
      return { data: RepositoryCheckResource.document({ identifier, found }) };
    },
  );

  api.get(
    '/organizations/:organization_name/vcs/tree',
    {
      answer: listAnswer(FolderResource),
      schema: { params: OfOrganization, querystring: Type.Object({ ...ofRepository, branch: line }) },
    },
    async (request) => {
      const { identifier, branch = '' } = request.query;
      const { organization_name: organization } = request.params;
      const id = connectionIn(request.query);
      const folders = await browse.folders(actorOf(request), organization, id, { identifier, branch });
      return { data: folders.map((path) => FolderResource.document({ path })) };
    },
  );

  api.get(
    '/organizations/:organization_name/vcs/branches',
    {
      answer: listAnswer(BranchResource),
      schema: { params: OfOrganization, querystring: Type.Object({ ...ofRepository, 'search[name]': line }) },
    },
    async (request) => {
      const { identifier, 'search[name]': search = '' } = request.query;
      const { organization_name: organization } = request.params;
      const id = connectionIn(request.query);
      const branches = await browse.branches(actorOf(request), organization, id, { identifier, search });
      return { data: branches.map(BranchResource.document) };
    },
  );

  const repos = async (request: Parameters<typeof urlOf>[0] & { readonly query: SearchQuery }, id: string) => {
    const page = pageOf(request.query);
    const query = { search: request.query['search[name]'] ?? '', page: page.number };
    const found = await browse.repositories(actorOf(request), id, query);
    // The provider does not say how many there are. A further page counts as one more.
    const total = page.offset + found.items.length + (found.nextPage === null ? 0 : 1);
    const shown = found.items.map((one) => AppRepositoryResource.document(one, id));
    return pageDocument(urlOf(request), page, total, shown);
  };

  api.get(
    '/github-app-installations/:github_app_installation_id/repos',
    { answer: pageAnswer(AppRepositoryResource), schema: { params: OfInstallation, querystring: Search } },
    (request) => repos(request, request.params.github_app_installation_id),
  );

  api.get(
    '/organizations/:organization_name/github-app-installations/:github_app_installation_id/repos',
    { answer: pageAnswer(AppRepositoryResource), schema: { params: InOrganization, querystring: Search } },
    (request) => repos(request, request.params.github_app_installation_id),
  );
}
