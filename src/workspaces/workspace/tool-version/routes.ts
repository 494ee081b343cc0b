import { Type } from 'typebox';
import { AppError } from '../../../lib/errors.ts';
import { type AnyRequest, type Api, urlOf } from '../../http/api.ts';
import type { Resource } from '../../jsonapi/document.ts';
import { notFound } from '../../jsonapi/errors.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id, text } from '../../jsonapi/schema.ts';
import { actorOf, assertSiteAdmin } from '../../tenancy/index.ts';
import type { EngineReleases, KnownRelease } from '../engine/releases.ts';

const One = Type.Object({ tool_version_id: Id });
const filter = Type.Optional(text(100));
const List = Type.Object({ ...pageQuery, 'filter[version]': filter, 'search[version]': filter });

/** Returns the document of a release. The server does not know its download URL, its date or its number of users. */
function toolVersionResource(type: string, { version, isBuiltIn, isPrerelease }: KnownRelease): Resource {
  return {
    id: `tool-${version}`,
    type,
    attributes: {
      version,
      ...{ url: null, sha: null, archs: [], usage: null, 'created-at': null },
      ...{ deprecated: false, 'deprecated-reason': null, official: isBuiltIn, enabled: true, beta: isPrerelease },
    },
    links: { self: `/api/v2/admin/${type}/tool-${version}` },
  };
}

/**
 * Routes of tool versions for site administrators, as official clients read them: the known releases of Terraform.
 * Lists of policy engines are empty. The versions are configured in the server.
 */
export function toolVersionRoutes(api: Api, releases: EngineReleases): void {
  const kinds = {
    'terraform-versions': () => releases.known('terraform'),
    'opa-versions': () => [],
    'sentinel-versions': () => [],
  };
  for (const [type, known] of Object.entries<() => readonly KnownRelease[]>(kinds)) {
    const path = `/admin/${type}`;

    api.get(path, { schema: { querystring: List } }, async (request) => {
      assertSiteAdmin(actorOf(request));
      const { 'filter[version]': exact, 'search[version]': part = '' } = request.query;
      const page = pageOf(request.query);
      const found = known().filter(({ version }) => (!exact || version === exact) && version.includes(part));
      const shown = found.slice(page.offset, page.offset + page.size);
      const data = shown.map((release) => toolVersionResource(type, release));
      return pageDocument(urlOf(request), page, found.length, data);
    });

    api.get(`${path}/:tool_version_id`, { schema: { params: One } }, async (request) => {
      assertSiteAdmin(actorOf(request));
      const found = known().find(({ version }) => `tool-${version}` === request.params.tool_version_id);
      if (found === undefined) throw notFound();
      return { data: toolVersionResource(type, found) };
    });

    api.post(path, {}, readOnly);
    for (const method of ['PATCH', 'DELETE'] as const) {
      api.route({ method, url: `${path}/:tool_version_id`, schema: { params: One }, handler: readOnly });
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
