import { Type } from 'typebox';
import type { Api } from '../../http/api.ts';
import { Id, resourceBody } from '../../jsonapi/schema.ts';
import { resourceAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../../tenancy/index.ts';
import type { ForkApprovals } from './approvals.ts';
import { ForkApprovalResource } from './resource.ts';

const OfWorkspace = Type.Object({ workspace_id: Id });
const Body = resourceBody(ForkApprovalResource.type, ForkApprovalResource.create, {});

/** Route by which a user lets one commit of a fork be planned. HCP Terraform has none. */
export function forkRoutes(api: Api, approvals: ForkApprovals): void {
  const options = { answer: resourceAnswer(ForkApprovalResource), schema: { params: OfWorkspace, body: Body } };
  api.post('/workspaces/:workspace_id/actions/approve-fork', options, async (request) => {
    const { 'pull-request-number': number, 'commit-sha': commitId } = request.body.data.attributes;
    const approval = await approvals.approve(actorOf(request), request.params.workspace_id, number, commitId);
    return { data: ForkApprovalResource.document(approval) };
  });
}
