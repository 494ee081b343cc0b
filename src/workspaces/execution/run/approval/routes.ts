import { Type } from 'typebox';
import type { Api } from '../../../http/api.ts';
import { WholeListQuery, wholeList } from '../../../jsonapi/pagination.ts';
import { Id } from '../../../jsonapi/schema.ts';
import { accepted, listWithMeta } from '../../../openapi/answer.ts';
import { actorOf } from '../../../tenancy/index.ts';
import { ActionBody } from '../schema.ts';
import type { ApprovalActions } from './actions.ts';
import { ApprovalsMeta, approvalsDocument, RunApprovalResource } from './resource.ts';
import type { RunApprovals } from './run-approvals.ts';

const OfRun = Type.Object({ run_id: Id });

export interface RunApprovalRoutesOptions {
  readonly approvalActions: ApprovalActions;
  readonly runApprovals: RunApprovals;
}

/** Routes of the approvals of runs (our extension). Their list is not paged. */
export function runApprovalRoutes(api: Api, { approvalActions, runApprovals }: RunApprovalRoutesOptions): void {
  const ofRun = { schema: { params: OfRun, querystring: WholeListQuery } };
  api.get(
    '/runs/:run_id/approvals',
    { answer: listWithMeta(RunApprovalResource, ApprovalsMeta), ...ofRun },
    async (request) => {
      const found = await runApprovals.list(actorOf(request), request.params.run_id);
      return approvalsDocument({ ...found, approvals: wholeList(request.query, found.approvals) });
    },
  );

  const deciding = { schema: { params: OfRun, body: ActionBody } };
  api.post('/runs/:run_id/actions/approve', { answer: accepted, ...deciding }, async (request, reply) => {
    await approvalActions.approve(actorOf(request), request.params.run_id, request.body?.comment ?? '');
    reply.code(202);
  });

  api.post('/runs/:run_id/actions/revoke-approval', { answer: accepted, ...deciding }, async (request, reply) => {
    await approvalActions.revoke(actorOf(request), request.params.run_id, request.body?.comment ?? '');
    reply.code(202);
  });
}
