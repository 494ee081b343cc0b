import { workspaces } from '../../api/client.ts';
import { ApprovalRules } from '../../components/approval-rules/ApprovalRules.tsx';
import { type PartProps, partOf } from './part.tsx';
import * as texts from './texts.ts';

/** Approval rules of a workspace and of its project. */
export const Approvals = partOf(Shows, {
  label: texts.approvals,
  request: (id) => workspaces.request('GET /workspaces/{workspace_id}/approval-rules', { path: { workspace_id: id } }),
  command: (id) => `lockkeeper api GET workspaces/${id}/approval-rules`,
});

function Shows({ organization, workspace: { id, attributes } }: PartProps) {
  return (
    <ApprovalRules
      organization={organization}
      owner={{ workspace: id }}
      mayChange={attributes.permissions['can-update']}
    />
  );
}
