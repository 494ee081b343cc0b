import { Type } from 'typebox';
import { isoTime } from '../../../lib/clock.ts';
import type { Api } from '../../http/api.ts';
import { type Resource, toOne } from '../../jsonapi/document.ts';
import { ANY_TYPE, Id } from '../../jsonapi/schema.ts';
import { actorOf } from '../../tenancy/index.ts';
import type { ForkApproval } from '../fork/approval.ts';
import type { ForkApprovals } from './approvals.ts';

const OfWorkspace = Type.Object({ workspace_id: Id });
const Body = Type.Object({
  data: Type.Object({
    type: ANY_TYPE,
    attributes: Type.Object({
      'pull-request-number': Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
      'commit-sha': Type.String({ pattern: '^[0-9a-f]{40}$' }),
    }),
  }),
});

function approvalResource({ id, workspaceId, pullNumber, commitId, ...approval }: ForkApproval): Resource {
  return {
    id,
    type: 'fork-approvals',
    attributes: {
      'pull-request-number': pullNumber,
      'commit-sha': commitId,
      'approved-at': isoTime(approval.createdAt),
      'approved-by-name': approval.approvedByName,
    },
    relationships: {
      workspace: toOne('workspaces', workspaceId),
      'approved-by': toOne('users', approval.approvedBy),
    },
  };
}

/** Route by which a user lets one commit of a fork be planned. HCP Terraform has none. */
export function forkRoutes(api: Api, approvals: ForkApprovals): void {
  const schema = { params: OfWorkspace, body: Body };
  api.post('/workspaces/:workspace_id/actions/approve-fork', { schema }, async (request) => {
    const { 'pull-request-number': number, 'commit-sha': commitId } = request.body.data.attributes;
    const approval = await approvals.approve(actorOf(request), request.params.workspace_id, number, commitId);
    return { data: approvalResource(approval) };
  });
}
