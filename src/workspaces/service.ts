import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { parseJsonBody } from '../lib/json.ts';
import type { Service } from '../lib/service.ts';
import { ACTOR, type Api } from './http/api.ts';
import { authenticationHook } from './http/authentication-hook.ts';
import { pingRoute } from './http/ping.ts';
import { MEDIA_TYPE } from './jsonapi/document.ts';
import { jsonApiErrors, notFound } from './jsonapi/errors.ts';
import { compileValidator } from './jsonapi/validation.ts';
import { machineRoutes } from './machine/routes.ts';
import { organizationRoutes } from './organization/routes.ts';
import { projectRoutes } from './project/routes.ts';
import { teamRoutes } from './team/routes.ts';
import { tokenRoutes } from './token/routes.ts';
import { userRoutes } from './user/routes.ts';
import { lockRoutes } from './workspace/lock-routes.ts';
import { workspaceRoutes } from './workspace/routes.ts';
import { tagRoutes } from './workspace/tag-routes.ts';
import type { Workspaces } from './workspaces.ts';

/** The workspace API as the server mounts it. */
export function workspacesService(workspaces: Workspaces): Service {
  return {
    name: 'workspaces',
    prefix: '/api/v2',
    errors: jsonApiErrors,
    notFound,
    routes: async (app) => {
      app.setValidatorCompiler(compileValidator as Parameters<FastifyInstance['setValidatorCompiler']>[0]);
      app.addHook('onSend', (_request, reply, payload, done) => {
        if (payload) reply.header('content-type', MEDIA_TYPE);
        done(null, payload);
      });
      app.addContentTypeParser<Buffer>([MEDIA_TYPE, 'application/json'], { parseAs: 'buffer' }, parseJsonBody);
      pingRoute(app);
      await app.register(async (known) => {
        known.decorateRequest(ACTOR, undefined);
        known.addHook('onRequest', authenticationHook(workspaces.authentication));
        declareRoutes(known.withTypeProvider<TypeBoxTypeProvider>(), workspaces);
      });
    },
  };
}

function declareRoutes(api: Api, services: Workspaces): void {
  userRoutes(api, services.users);
  tokenRoutes(api, services.tokens);
  organizationRoutes(api, services.organizations, services.founding);
  projectRoutes(api, services.projects);
  teamRoutes(api, services.teams);
  machineRoutes(api, services.identities);
  workspaceRoutes(api, { workspaces: services.workspaces, deletion: services.deletion, sources: services });
  lockRoutes(api, services.locks);
  tagRoutes(api, services.tags);
}
