import { Type } from 'typebox';
import { AppError } from '../../../lib/errors.ts';
import { type AnyRequest, type Api, urlOf } from '../../http/api.ts';
import { notFound } from '../../jsonapi/errors.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id, text } from '../../jsonapi/schema.ts';
import { absent, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { actorOf, assertSiteAdmin } from '../../tenancy/index.ts';
import type { EngineReleases, KnownRelease } from '../engine/releases.ts';
import { OpaVersionResource, SentinelVersionResource, TerraformVersionResource } from './resource.ts';

const One = Type.Object({ tool_version_id: Id });
const filter = Type.Optional(text(100));
const List = Type.Object({ ...pageQuery, 'filter[version]': filter, 'search[version]': filter });

/**
 * Routes of tool versions for site administrators, as official clients read them: the known releases of Terraform.
 * Lists of policy engines are empty. The versions are configured in the server.
 */
export function toolVersionRoutes(api: Api, releases: EngineReleases): void {
  const kinds = [
    { resource: TerraformVersionResource, known: () => releases.known('terraform') },
    { resource: OpaVersionResource, known: (): KnownRelease[] => [] },
    { resource: SentinelVersionResource, known: (): KnownRelease[] => [] },
  ];
  for (const { resource, known } of kinds) {
    const path = `/admin/${resource.type}`;

    api.get(path, { answer: pageAnswer(resource), schema: { querystring: List } }, async (request) => {
      assertSiteAdmin(actorOf(request));
      const { 'filter[version]': exact, 'search[version]': part = '' } = request.query;
      const page = pageOf(request.query);
      const found = known().filter(({ version }) => (!exact || version === exact) && version.includes(part));
      const shown = found.slice(page.offset, page.offset + page.size);
      return pageDocument(urlOf(request), page, found.length, shown.map(resource.document));
    });

    const one = { answer: resourceAnswer(resource), schema: { params: One } };
    api.get(`${path}/:tool_version_id`, one, async (request) => {
      assertSiteAdmin(actorOf(request));
      const found = known().find(({ version }) => `tool-${version}` === request.params.tool_version_id);
      if (found === undefined) throw notFound();
      return { data: resource.document(found) };
    });

    api.post(path, { answer: absent }, readOnly);
    for (const method of ['PATCH', 'DELETE'] as const) {
      const url = `${path}/:tool_version_id`;
      api.route({ method, url, answer: absent, schema: { params: One }, handler: readOnly });
    }
  }
}

/**
 * Refuses changes, because the versions are configured in the server.
 * @throws 405 for site administrators; 404 for other actors
 */
async function readOnly(request: AnyRequest): Promise<never> {
  assertSiteAdmin(actorOf(request));
  const detail =
    'Tool versions cannot be changed with the API. Set workspaces.engine_versions in the configuration of the server';
  throw new AppError('method-not-allowed', detail, { allow: ['GET', 'HEAD'] });
}
