import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { notFound } from '../../jsonapi/errors.ts';
import { parseInclude } from '../../jsonapi/include.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { ANY_TYPE, Id, nullable, text } from '../../jsonapi/schema.ts';
import { actorOf } from '../../tenancy/index.ts';
import { BACKING_ACTIONS, type BackingAction, type ConfigurationVersions } from './configuration-versions.ts';
import { configurationVersionResource } from './document.ts';
import type { ConfigurationUploads } from './uploads.ts';

/** What comes of a repository, of which none is known. */
const INCLUDES = ['ingress_attributes', 'run'] as const;

const flag = Type.Optional(nullable(Type.Boolean()));
const Create = nullable(
  Type.Object({
    data: Type.Optional(
      Type.Object({
        type: ANY_TYPE,
        attributes: Type.Optional(Type.Object({ 'auto-queue-runs': flag, speculative: flag, provisional: flag })),
      }),
    ),
  }),
);
const ById = Type.Object({ id: Id });
const OfWorkspace = Type.Object({ workspace_id: Id });
const include = Type.Optional(text(1000));

/** The services behind the routes. */
export interface ConfigurationVersionRoutesOptions {
  readonly configurationVersions: ConfigurationVersions;
  readonly configurationUploads: ConfigurationUploads;
}

/** Facts §6.10. */
export function configurationVersionRoutes(api: Api, services: ConfigurationVersionRoutesOptions): void {
  const { configurationVersions: versions, configurationUploads: uploads } = services;
  const one = { schema: { params: ById } };

  api.post(
    '/workspaces/:workspace_id/configuration-versions',
    { schema: { params: OfWorkspace, body: Create } },
    async (request, reply) => {
      const attributes = request.body?.data?.attributes ?? {};
      const actor = actorOf(request);
      const version = await versions.create(actor, request.params.workspace_id, {
        autoQueueRuns: attributes['auto-queue-runs'] ?? true,
        speculative: attributes.speculative ?? false,
        provisional: attributes.provisional ?? false,
      });
      reply.code(201);
      const link = uploads.links.sign({ id: version.id, holder: actor.credential });
      const url = new URL(`/api/v2/configuration-uploads/${link}`, urlOf(request));
      return { data: configurationVersionResource(version, url.href) };
    },
  );

  api.get(
    '/workspaces/:workspace_id/configuration-versions',
    { schema: { params: OfWorkspace, querystring: Type.Object({ ...pageQuery, include }) } },
    async (request) => {
      parseInclude(request.query.include, INCLUDES);
      const page = pageOf(request.query);
      const { items, total } = await versions.list(actorOf(request), request.params.workspace_id, page);
      const data = items.map((version) => configurationVersionResource(version));
      return pageDocument(urlOf(request), page, total, data);
    },
  );

  api.get(
    '/configuration-versions/:id',
    { schema: { params: ById, querystring: Type.Object({ include }) } },
    async (request) => {
      parseInclude(request.query.include, INCLUDES);
      return { data: configurationVersionResource(await versions.show(actorOf(request), request.params.id)) };
    },
  );

  api.get('/configuration-versions/:id/ingress-attributes', one, async (request) => {
    await versions.show(actorOf(request), request.params.id);
    throw notFound();
  });

  api.get(
    '/configuration-versions/:id/download',
    {
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

  api.post('/configuration-versions/:id/actions/archive', one, async (request, reply) => {
    await versions.archive(actorOf(request), request.params.id);
    reply.code(202);
  });

  for (const action of Object.keys(BACKING_ACTIONS) as BackingAction[]) {
    api.post(`/configuration-versions/:id/actions/${action}`, one, async (request, reply) => {
      await versions.backing(actorOf(request), request.params.id, action);
      reply.code(204);
    });
  }
}
