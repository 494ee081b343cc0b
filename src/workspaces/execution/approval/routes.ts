import { type Static, Type } from 'typebox';
import type { Api } from '../../http/api.ts';
import { WholeListQuery, wholeList } from '../../jsonapi/pagination.ts';
import { Id, identifiers } from '../../jsonapi/schema.ts';
import { listAnswer, made, resourceAnswer } from '../../openapi/answer.ts';
import { createBody, updateBody } from '../../resource/index.ts';
import { actorOf } from '../../tenancy/index.ts';
import { ApprovalRuleResource } from './resource.ts';
import { type ApprovalRules, MAX_TEAMS, type RuleInput } from './rules.ts';

const ById = Type.Object({ approval_rule_id: Id });
const OfWorkspace = Type.Object({ workspace_id: Id });
const OfProject = Type.Object({ project_id: Id });

const teams = Type.Object({ data: identifiers('teams', { maxItems: MAX_TEAMS }) });
const Create = createBody(ApprovalRuleResource, { teams });
const Update = updateBody(ApprovalRuleResource, { teams: Type.Optional(teams) });

function inputOf({ attributes: given = {}, relationships }: Static<typeof Update>['data']): RuleInput {
  return {
    name: given.name,
    required: given['required-approvals'],
    requesterMayApprove: given['requester-may-approve'],
    operations: given.operations,
    teamIds: relationships?.teams?.data.map(({ id }) => id),
  };
}

/** Routes of approval rules (our extension). Their lists are not paged. */
export function approvalRuleRoutes(api: Api, rules: ApprovalRules): void {
  const ofWorkspace = { schema: { params: OfWorkspace, querystring: WholeListQuery } };
  api.get(
    '/workspaces/:workspace_id/approval-rules',
    { answer: listAnswer(ApprovalRuleResource), ...ofWorkspace },
    async (request) => {
      const found = await rules.ofWorkspace(actorOf(request), request.params.workspace_id);
      return { data: wholeList(request.query, found).map(ApprovalRuleResource.document) };
    },
  );

  api.post(
    '/workspaces/:workspace_id/approval-rules',
    { answer: made(ApprovalRuleResource), schema: { params: OfWorkspace, body: Create } },
    async (request, reply) => {
      const input = inputOf(request.body.data);
      const rule = await rules.createForWorkspace(actorOf(request), request.params.workspace_id, input);
      reply.code(201);
      return { data: ApprovalRuleResource.document(rule) };
    },
  );

  const ofProject = { schema: { params: OfProject, querystring: WholeListQuery } };
  api.get(
    '/projects/:project_id/approval-rules',
    { answer: listAnswer(ApprovalRuleResource), ...ofProject },
    async (request) => {
      const found = await rules.ofProject(actorOf(request), request.params.project_id);
      return { data: wholeList(request.query, found).map(ApprovalRuleResource.document) };
    },
  );

  api.post(
    '/projects/:project_id/approval-rules',
    { answer: made(ApprovalRuleResource), schema: { params: OfProject, body: Create } },
    async (request, reply) => {
      const input = inputOf(request.body.data);
      const rule = await rules.createForProject(actorOf(request), request.params.project_id, input);
      reply.code(201);
      return { data: ApprovalRuleResource.document(rule) };
    },
  );

  const one = { schema: { params: ById } };
  api.get(
    '/approval-rules/:approval_rule_id',
    { answer: resourceAnswer(ApprovalRuleResource), ...one },
    async (request) => {
      return {
        data: ApprovalRuleResource.document(await rules.find(actorOf(request), request.params.approval_rule_id)),
      };
    },
  );

  api.patch(
    '/approval-rules/:approval_rule_id',
    { answer: resourceAnswer(ApprovalRuleResource), schema: { params: ById, body: Update } },
    async (request) => {
      const { approval_rule_id: id } = request.params;
      return {
        data: ApprovalRuleResource.document(await rules.update(actorOf(request), id, inputOf(request.body.data))),
      };
    },
  );

  api.delete('/approval-rules/:approval_rule_id', one, async (request, reply) => {
    await rules.delete(actorOf(request), request.params.approval_rule_id);
    reply.code(204);
  });
}
