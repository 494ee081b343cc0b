import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { parseJsonBody } from '../lib/json.ts';
import type { Service } from '../lib/service.ts';
import { absentRoutes } from './execution/absent/routes.ts';
import { agentRoutes } from './execution/agent-pool/agent-routes.ts';
import { agentPoolRoutes } from './execution/agent-pool/routes.ts';
import { agentTokenRoutes } from './execution/agent-pool/token-routes.ts';
import { configurationVersionRoutes } from './execution/configuration-version/routes.ts';
import { jobRoutes } from './execution/job/job-routes.ts';
import { notificationRoutes } from './execution/notification/routes.ts';
import { eventRoutes } from './execution/run/event-routes.ts';
import { phaseRoutes } from './execution/run/phase-routes.ts';
import { runRoutes } from './execution/run/routes.ts';
import { runTransferRoutes } from './execution/run/transfer-routes.ts';
import { runTriggerRoutes } from './execution/run-trigger/routes.ts';
import type { Api } from './http/api.ts';
import { pingRoute } from './http/ping.ts';
import { MEDIA_TYPE } from './jsonapi/document.ts';
import { jsonApiErrors, notFound } from './jsonapi/errors.ts';
import { compileValidator } from './jsonapi/validation.ts';
import { write } from './jsonapi/writing.ts';
import { openApiRoute } from './openapi/route.ts';
import { collectRoutes } from './openapi/routes.ts';
import { transferRoutes } from './state/transfer/transfer-routes.ts';
import { stateRoutes } from './state/version/routes.ts';
import { authenticationHook } from './tenancy/authentication/authentication-hook.ts';
import { ACTOR } from './tenancy/authentication/request-actor.ts';
import { machineRoutes } from './tenancy/machine/routes.ts';
import { membershipRoutes } from './tenancy/membership/routes.ts';
import { organizationRoutes } from './tenancy/organization/routes.ts';
import { projectBindingRoutes } from './tenancy/project/binding-routes.ts';
import { projectRoutes } from './tenancy/project/routes.ts';
import { teamRoutes } from './tenancy/team/routes.ts';
import { organizationTokenRoutes } from './tenancy/token/organization-routes.ts';
import { teamTokenRoutes, tokenRoutes } from './tenancy/token/routes.ts';
import { userRoutes } from './tenancy/user/routes.ts';
import { variableRoutes } from './variables/variable/routes.ts';
import { variableSetRoutes } from './variables/variable-set/routes.ts';
import { appliedVariableRoutes, setVariableRoutes } from './variables/variable-set/variable-routes.ts';
import { oauthClientRoutes } from './vcs/connection/routes.ts';
import { oauthTokenRoutes } from './vcs/connection/token-routes.ts';
import { consumerRoutes } from './workspace/consumer/routes.ts';
import { recoveryRoutes } from './workspace/deletion/recovery-routes.ts';
import { lockRoutes } from './workspace/lock/routes.ts';
import { organizationTagRoutes, reservedKeyRoutes } from './workspace/organization-tag/routes.ts';
import { retentionRoutes } from './workspace/retention/routes.ts';
import { sshKeyAssignmentRoutes } from './workspace/ssh-key/assignment-routes.ts';
import { sshKeyRoutes } from './workspace/ssh-key/routes.ts';
import { tagRoutes } from './workspace/tag/routes.ts';
import { teamProjectRoutes, teamWorkspaceRoutes } from './workspace/team-access/routes.ts';
import { workspaceRoutes } from './workspace/workspace/routes.ts';
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
