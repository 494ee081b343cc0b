import type { FastifyInstance } from 'fastify';
import { parseJsonBody } from '../lib/json.ts';
import type { Service } from '../lib/service.ts';
import { auditTrailRoutes, recordTrail } from './audit-trail/index.ts';
import {
  assessmentFileRoutes,
  changeRoutes,
  closeToTokens,
  executionRoutes,
  identityRoutes,
  jobLogRoute,
  runOutputRoutes,
  runTransferRoutes,
  taskCallbackRoutes,
} from './execution/index.ts';
import { type Api, apiOf } from './http/api.ts';
import { acceptEmptyBodies } from './http/empty-body.ts';
import { pingRoute } from './http/ping.ts';
import { MEDIA_TYPE } from './jsonapi/document.ts';
import { jsonApiErrors, notFound } from './jsonapi/errors.ts';
import { NO_QUERY } from './jsonapi/query-parameters.ts';
import { compileValidator } from './jsonapi/validation.ts';
import { write } from './jsonapi/writing.ts';
import { MODULES } from './modules.ts';
import { openApiRoute } from './openapi/route.ts';
import { collectRoutes } from './openapi/routes.ts';
import { stateRoutes, stateTransferRoutes } from './state/index.ts';
import {
  ACTOR,
  askAgain,
  authenticationHook,
  discoveryService,
  ipRangesService,
  oauthService,
  type PageSession,
  pageServices,
  scimService,
  TOKEN_RATE,
  tenancyRoutes,
} from './tenancy/index.ts';
import { variableRoutes } from './variables/index.ts';
import { vcsRoutes, vcsSignInService, webhookService } from './vcs/index.ts';
import { workspaceRoutes } from './workspace/index.ts';
import type { Workspaces } from './workspaces.ts';

/**
 * Declares everything besides the API on a listener of the workspace API: discovery and sign-in routes of command
 * lines and users.
 * @param session session of the browser, if the console is served
 */
export function entranceServices({ tenancy, vcs, execution }: Workspaces, session?: PageSession): readonly Service[] {
  const { logins, invitations, sessions, pipelineExchange, scim } = tenancy;
  const discovery = discoveryService((app) => identityRoutes(app, execution.workloadIdentity));
  return [
    discovery,
    ipRangesService(),
    ...pageServices({ logins, invitations, sessions }, session),
    oauthService(logins, pipelineExchange),
    scimService(scim),
    webhookService(vcs.hookIntake),
    vcsSignInService({ ...vcs, logins }, session),
  ];
}

/** The workspace API in the form that the server mounts. */
export function workspacesService(workspaces: Workspaces): Service {
  const { authentication } = workspaces.tenancy;
  return {
    name: 'workspaces',
    prefix: '/api/v2',
    errors: jsonApiErrors,
    jsonApi: true,
    ignoresLastSlash: true,
    rate: TOKEN_RATE,
    notFound,
    routes: async (app) => {
      // A route without a query schema takes no parameters.
      app.addHook('onRoute', (route) => {
        route.schema = { querystring: NO_QUERY, ...route.schema };
      });
      const routes = collectRoutes(app);
      recordTrail(app, workspaces.auditTrail);
      closeToTokens(app);
      app.setValidatorCompiler(compileValidator as Parameters<FastifyInstance['setValidatorCompiler']>[0]);
      app.setReplySerializer(write);
      app.addHook('onSend', (_request, reply, payload, done) => {
        if (reply.statusCode === 401) reply.header('www-authenticate', 'Bearer');
        if (payload) reply.header('content-type', MEDIA_TYPE);
        done(null, payload);
      });
      app.addContentTypeParser<Buffer>([MEDIA_TYPE, 'application/json'], { parseAs: 'buffer' }, parseJsonBody);
      pingRoute(app);
      openApiRoute(
        app,
        routes,
        MODULES.flatMap(({ resources = [] }) => resources),
      );
      await app.register(async (known) => {
        known.decorateRequest(ACTOR, undefined);
        known.addHook('onRequest', authenticationHook(authentication));
        acceptEmptyBodies(known);
        askAgain(known, workspaces.tenancy.sessions);
        declareRoutes(apiOf(known), workspaces);
      });
      await app.register((bytes) => stateTransferRoutes(bytes, workspaces.states, authentication));
      await app.register((bytes) => runTransferRoutes(bytes, workspaces.execution, authentication));
      await app.register((bytes) => jobLogRoute(bytes, workspaces.execution, authentication));
      await app.register((bytes) => runOutputRoutes(bytes, workspaces.execution, authentication));
      await app.register((bytes) => assessmentFileRoutes(bytes, workspaces.execution, authentication));
      await app.register((followed) => changeRoutes(followed, workspaces.execution, authentication));
      await app.register((asked) => taskCallbackRoutes(asked, workspaces.execution.taskCallbacks));
    },
  };
}

function declareRoutes(api: Api, services: Workspaces): void {
  const { tenancy, workspace, states, variables, vcs, execution, auditTrail } = services;
  tenancyRoutes(api, tenancy);
  workspaceRoutes(api, workspace);
  stateRoutes(api, states);
  variableRoutes(api, variables, tenancy, workspace);
  vcsRoutes(api, vcs, tenancy);
  executionRoutes(api, execution, tenancy, workspace);
  auditTrailRoutes(api, auditTrail);
}
