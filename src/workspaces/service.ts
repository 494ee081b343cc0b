import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { parseJsonBody } from '../lib/json.ts';
import type { Service } from '../lib/service.ts';
import { absentRoutes } from './absent/routes.ts';
import { agentRoutes } from './agent-pool/agent-routes.ts';
import { agentPoolRoutes } from './agent-pool/routes.ts';
import { agentTokenRoutes } from './agent-pool/token-routes.ts';
import { configurationVersionRoutes } from './configuration-version/routes.ts';
import { ACTOR, type Api } from './http/api.ts';
import { authenticationHook } from './http/authentication-hook.ts';
import { pingRoute } from './http/ping.ts';
import { MEDIA_TYPE } from './jsonapi/document.ts';
import { jsonApiErrors, notFound } from './jsonapi/errors.ts';
import { compileValidator } from './jsonapi/validation.ts';
import { write } from './jsonapi/writing.ts';
import { machineRoutes } from './machine/routes.ts';
import { membershipRoutes } from './membership/routes.ts';
import { notificationRoutes } from './notification/routes.ts';
import { openApiRoute } from './openapi/route.ts';
import { collectRoutes } from './openapi/routes.ts';
import { organizationRoutes } from './organization/routes.ts';
import { projectBindingRoutes } from './project/binding-routes.ts';
import { projectRoutes } from './project/routes.ts';
import { retentionRoutes } from './retention/routes.ts';
import { eventRoutes } from './run/event-routes.ts';
import { jobRoutes } from './run/job-routes.ts';
import { phaseRoutes } from './run/phase-routes.ts';
import { runRoutes } from './run/routes.ts';
import { runTransferRoutes } from './run/transfer-routes.ts';
import { runTriggerRoutes } from './run-trigger/routes.ts';
import { sshKeyRoutes } from './ssh-key/routes.ts';
import { stateRoutes } from './state/routes.ts';
import { transferRoutes } from './state/transfer-routes.ts';
import { organizationTagRoutes, reservedKeyRoutes } from './tag/routes.ts';
import { teamRoutes } from './team/routes.ts';
import { teamProjectRoutes, teamWorkspaceRoutes } from './team-access/routes.ts';
import { organizationTokenRoutes } from './token/organization-routes.ts';
import { teamTokenRoutes, tokenRoutes } from './token/routes.ts';
import { userRoutes } from './user/routes.ts';
import { variableRoutes } from './variable/routes.ts';
import { variableSetRoutes } from './variable-set/routes.ts';
import { appliedVariableRoutes, setVariableRoutes } from './variable-set/variable-routes.ts';
import { oauthClientRoutes } from './vcs-connection/routes.ts';
import { oauthTokenRoutes } from './vcs-connection/token-routes.ts';
import { consumerRoutes } from './workspace/consumer/routes.ts';
import { recoveryRoutes } from './workspace/deletion/recovery-routes.ts';
import { lockRoutes } from './workspace/lock/routes.ts';
import { workspaceRoutes } from './workspace/routes.ts';
import { sshKeyAssignmentRoutes } from './workspace/ssh-key-routes.ts';
import { tagRoutes } from './workspace/tag/routes.ts';
import type { Workspaces } from './workspaces.ts';

/** The workspace API as the server mounts it. */
export function workspacesService(workspaces: Workspaces): Service {
  return {
    name: 'workspaces',
    prefix: '/api/v2',
    errors: jsonApiErrors,
    jsonApi: true,
    ignoresLastSlash: true,
    notFound,
    routes: async (app) => {
      const routes = collectRoutes(app);
      app.setValidatorCompiler(compileValidator as Parameters<FastifyInstance['setValidatorCompiler']>[0]);
      app.setReplySerializer(write);
      app.addHook('onSend', (_request, reply, payload, done) => {
        if (payload) reply.header('content-type', MEDIA_TYPE);
        done(null, payload);
      });
      app.addContentTypeParser<Buffer>([MEDIA_TYPE, 'application/json'], { parseAs: 'buffer' }, parseJsonBody);
      pingRoute(app);
      openApiRoute(app, routes);
      await app.register(async (known) => {
        known.decorateRequest(ACTOR, undefined);
        known.addHook('onRequest', authenticationHook(workspaces.authentication));
        declareRoutes(known.withTypeProvider<TypeBoxTypeProvider>(), workspaces);
      });
      await app.register((bytes) => runTransferRoutes(bytes, workspaces));
      await app.register((bytes) => transferRoutes(bytes, workspaces.states, workspaces.authentication));
    },
  };
}

function declareRoutes(api: Api, services: Workspaces): void {
  userRoutes(api, services.users);
  tokenRoutes(api, services.tokens, services.agentTokens);
  teamTokenRoutes(api, services.teamTokens);
  organizationTokenRoutes(api, services.organizationTokens, services.ttlPolicies);
  membershipRoutes(api, services.memberships, services.users);
  organizationRoutes(api, services);
  projectRoutes(api, services);
  projectBindingRoutes(api, services.projectBindings);
  teamRoutes(api, { teams: services.teams, members: services.teamMembers, users: services.users });
  teamWorkspaceRoutes(api, services.workspaceGrants);
  teamProjectRoutes(api, services.projectGrants);
  machineRoutes(api, services.identities);
  workspaceRoutes(api, services);
  lockRoutes(api, services.locks, services.presenter);
  consumerRoutes(api, services.consumers, services.presenter);
  recoveryRoutes(api, services.recovery);
  sshKeyRoutes(api, services.sshKeys);
  sshKeyAssignmentRoutes(api, services.sshKeyAssignment, services.presenter);
  agentPoolRoutes(api, { pools: services.agentPools, finder: services.finder, presenter: services.presenter });
  agentTokenRoutes(api, services.agentTokens);
  agentRoutes(api, services);
  oauthClientRoutes(api, services.oauthClients, services.projects);
  oauthTokenRoutes(api, services.oauthTokens);
  tagRoutes(api, services.tags);
  organizationTagRoutes(api, services.organizationTags, services.tags);
  reservedKeyRoutes(api, services.reservedTagKeys);
  retentionRoutes(api, services.retentionPolicies);
  configurationVersionRoutes(api, services);
  runRoutes(api, services);
  jobRoutes(api, services);
  phaseRoutes(api, services);
  eventRoutes(api, services);
  absentRoutes(api, services);
  notificationRoutes(api, services.notificationConfigurations);
  runTriggerRoutes(api, services.runTriggers, services.presenter);
  stateRoutes(api, services.states);
  variableRoutes(api, services.variables);
  variableSetRoutes(api, services.variableSets, services);
  setVariableRoutes(api, services.setVariables);
  appliedVariableRoutes(api, services.appliedVariables, services);
}
