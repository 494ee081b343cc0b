import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { sourceOf } from '../../http/request-source.ts';
import { type Resource, withIncluded } from '../../jsonapi/document.ts';
import { parseInclude } from '../../jsonapi/include.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { ANY_TYPE, Id, nullable, text } from '../../jsonapi/schema.ts';
import { accepted, done, file, made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { type Actor, actorOf } from '../../tenancy/index.ts';
import type { ConfigurationVersion } from './configuration-version.ts';
import {
  BACKING_ACTIONS,
  type BackingAction,
  type ConfigurationVersionInput,
  type ConfigurationVersions,
} from './configuration-versions.ts';
import type { Ingresses } from './ingress.ts';
import { ConfigurationVersionResource, IngressResource } from './resource.ts';
import type { ConfigurationUploads } from './uploads.ts';

/** Accepted values of `include`. */
const INCLUDES = ['ingress_attributes', 'run'] as const;

const Create = nullable(
  Type.Object({
    data: Type.Optional(
      Type.Object({
        type: ANY_TYPE,
        attributes: Type.Optional(ConfigurationVersionResource.create),
      }),
    ),
  }),
);
const ById = Type.Object({ id: Id });
const OfWorkspace = Type.Object({ workspace_id: Id });
const include = Type.Optional(text(1000));

/** Source of the runs of configuration versions. */
interface RunsOfConfigurations {
  /**
   * Returns the newest run of each configuration version: run ids by configuration version id, and the runs that the
   * actor may see.
   */
  ofConfigurations(
    actor: Actor,
    configurationIds: readonly string[],
    origin: string,
  ): Promise<{ readonly resources: Resource[]; readonly byConfiguration: ReadonlyMap<string, string> }>;
}

/** Fetches commits as configuration versions. */
interface CommitsFetched {
  request(
    actor: Actor,
    workspaceId: string,
    input: ConfigurationVersionInput,
    ref: string,
  ): Promise<ConfigurationVersion>;
}

export interface ConfigurationVersionRoutesOptions {
  readonly commitFetches: CommitsFetched;
  readonly ingresses: Ingresses;
  readonly configurationVersions: ConfigurationVersions;
  readonly configurationUploads: ConfigurationUploads;
  readonly includedRuns: RunsOfConfigurations;
}

/** Routes of configuration versions. */
export function configurationVersionRoutes(api: Api, services: ConfigurationVersionRoutesOptions): void {
  const { commitFetches, configurationVersions: versions, configurationUploads: uploads } = services;
  const { includedRuns, ingresses } = services;
  const one = { schema: { params: ById } };

  async function shown(actor: Actor, items: readonly ConfigurationVersion[], include: string | undefined, url: URL) {
    const asked = parseInclude(include, INCLUDES);
    const ids = items.map(({ id }) => id);
    const origins = asked.has('ingress_attributes') ? await ingresses.included(ids) : [];
    if (!asked.has('run'))
      return { data: items.map((item) => ConfigurationVersionResource.document(item)), included: origins };
    const { resources, byConfiguration } = await includedRuns.ofConfigurations(actor, ids, url.origin);
    const data = items.map((item) =>
      ConfigurationVersionResource.document(item, { runId: byConfiguration.get(item.id) ?? null }),
    );
    return { data, included: [...origins, ...resources] };
  }

  api.post(
    '/workspaces/:workspace_id/configuration-versions',
    { answer: made(ConfigurationVersionResource), schema: { params: OfWorkspace, body: Create } },
    async (request, reply) => {
      const attributes = request.body?.data?.attributes ?? {};
      const actor = actorOf(request);
      const { workspace_id: workspaceId } = request.params;
      const input = {
        autoQueueRuns: attributes['auto-queue-runs'] ?? true,
        speculative: attributes.speculative ?? false,
        provisional: attributes.provisional ?? false,
        source: sourceOf(request.headers).source,
      };
      reply.code(201);
      const ref = attributes['vcs-ref'] ?? null;
      if (ref !== null) {
        return {
          data: ConfigurationVersionResource.document(await commitFetches.request(actor, workspaceId, input, ref)),
        };
      }
      const version = await versions.create(actor, workspaceId, input);
      const url = uploads.links.url(urlOf(request).origin, { id: version.id, holder: actor.credential });
      return { data: ConfigurationVersionResource.document(version, { uploadUrl: url }) };
    },
  );

  api.get(
    '/workspaces/:workspace_id/configuration-versions',
    {
      answer: pageAnswer(ConfigurationVersionResource),
      schema: { params: OfWorkspace, querystring: Type.Object({ ...pageQuery, include }) },
    },
    async (request) => {
      const [actor, page, url] = [actorOf(request), pageOf(request.query), urlOf(request)];
      const { items, total } = await versions.list(actor, request.params.workspace_id, page);
      const { data, included } = await shown(actor, items, request.query.include, url);
      return pageDocument(url, page, total, data, included);
    },
  );

  api.get(
    '/configuration-versions/:id',
    {
      answer: resourceAnswer(ConfigurationVersionResource),
      schema: { params: ById, querystring: Type.Object({ include }) },
    },
    async (request) => {
      const actor = actorOf(request);
      const version = await versions.show(actor, request.params.id);
      const { data, included } = await shown(actor, [version], request.query.include, urlOf(request));
      return withIncluded(data[0] as Resource, included);
    },
  );

  api.get(
    '/configuration-versions/:id/ingress-attributes',
    { answer: resourceAnswer(IngressResource), ...one },
    async (request) => {
      return { data: IngressResource.document(await ingresses.ofConfiguration(actorOf(request), request.params.id)) };
    },
  );

  api.get('/ingress-attributes/:id', { answer: resourceAnswer(IngressResource), ...one }, async (request) => {
    return { data: IngressResource.document(await ingresses.find(actorOf(request), request.params.id)) };
  });

  api.get(
    '/configuration-versions/:id/download',
    {
      answer: file('application/octet-stream', false),
      schema: { params: ById },
      exposeHeadRoute: false,
      onSend: async (_request, reply, payload) => {
        if (payload instanceof Readable) reply.header('content-type', 'application/octet-stream');
        return payload;
      },
    },
    async (request) => {
      const archive = await versions.download(actorOf(request), request.params.id);
      return Readable.from(archive, { objectMode: false });
    },
  );

  api.post('/configuration-versions/:id/actions/archive', { answer: accepted, ...one }, async (request, reply) => {
    await versions.archive(actorOf(request), request.params.id);
    reply.code(202);
  });

  for (const action of Object.keys(BACKING_ACTIONS) as BackingAction[]) {
    api.post(`/configuration-versions/:id/actions/${action}`, { answer: done, ...one }, async (request, reply) => {
      await versions.backing(actorOf(request), request.params.id, action);
      reply.code(204);
    });
  }
}
