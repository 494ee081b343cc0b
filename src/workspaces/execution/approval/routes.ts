import { type Static, Type } from 'typebox';
import type { Api } from '../../http/api.ts';
import { WholeListQuery, wholeList } from '../../jsonapi/pagination.ts';
import { Id, identifiers, resourceBody, text } from '../../jsonapi/schema.ts';
import { actorOf } from '../../tenancy/index.ts';
import { RULE_OPERATIONS } from './approval.ts';
import { ruleResource } from './document.ts';
import { type ApprovalRules, MAX_REQUIRED, MAX_TEAMS, type RuleInput } from './rules.ts';

const ById = Type.Object({ approval_rule_id: Id });
const OfWorkspace = Type.Object({ workspace_id: Id });
const OfProject = Type.Object({ project_id: Id });

const attributes = {
  name: text(400),
  'required-approvals': Type.Integer({ minimum: 1, maximum: MAX_REQUIRED }),
  'requester-may-approve': Type.Boolean(),
  operations: Type.Enum([...RULE_OPERATIONS]),
};
const { name, ...others } = attributes;
const teams = Type.Object({ data: identifiers('teams', { maxItems: MAX_TEAMS }) });
const Create = resourceBody('approval-rules', Type.Object({ name, ...Type.Partial(Type.Object(others)).properties }), {
  teams,
});
const Update = resourceBody('approval-rules', Type.Optional(Type.Partial(Type.Object(attributes))), {
  teams: Type.Optional(teams),
});

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
  api.get('/workspaces/:workspace_id/approval-rules', ofWorkspace, async (request) => {
    const found = await rules.ofWorkspace(actorOf(request), request.params.workspace_id);
    return { data: wholeList(request.query, found).map(ruleResource) };
  });

  api.post(
    '/workspaces/:workspace_id/approval-rules',
    { schema: { params: OfWorkspace, body: Create } },
    async (request, reply) => {
      const input = inputOf(request.body.data);
      const rule = await rules.createForWorkspace(actorOf(request), request.params.workspace_id, input);
      reply.code(201);
      return { data: ruleResource(rule) };
    },
  );

  const ofProject = { schema: { params: OfProject, querystring: WholeListQuery } };
  api.get('/projects/:project_id/approval-rules', ofProject, async (request) => {
    const found = await rules.ofProject(actorOf(request), request.params.project_id);
    return { data: wholeList(request.query, found).map(ruleResource) };
  });

  api.post(
    '/projects/:project_id/approval-rules',
    { schema: { params: OfProject, body: Create } },
    async (request, reply) => {
      const input = inputOf(request.body.data);
      const rule = await rules.createForProject(actorOf(request), request.params.project_id, input);
      reply.code(201);
      return { data: ruleResource(rule) };
    },
  );

  const one = { schema: { params: ById } };
  api.get('/approval-rules/:approval_rule_id', one, async (request) => {
    return { data: ruleResource(await rules.find(actorOf(request), request.params.approval_rule_id)) };
  });

  api.patch('/approval-rules/:approval_rule_id', { schema: { params: ById, body: Update } }, async (request) => {
    const { approval_rule_id: id } = request.params;
    return { data: ruleResource(await rules.update(actorOf(request), id, inputOf(request.body.data))) };
  });

  api.delete('/approval-rules/:approval_rule_id', one, async (request, reply) => {
    await rules.delete(actorOf(request), request.params.approval_rule_id);
    reply.code(204);
  });
}
