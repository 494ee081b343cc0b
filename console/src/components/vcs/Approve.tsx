import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { Button } from '../button/Button.tsx';
import { announce } from '../copy/announce.ts';
import { AskDialog } from '../dialog/Dialog.tsx';
import * as texts from './texts.ts';

interface ApproveProps {
  readonly workspaceId: string;
  readonly workspace: string;
  readonly pullRequest: number;
  readonly commit: string;
}

/** Approves one commit of a fork for one workspace, after a warning. */
export function Approve({ workspaceId, workspace, pullRequest, commit }: ApproveProps) {
  const [asks, setAsks] = useState(false);
  const approve = useChange(
    () =>
      workspaces.send('POST /workspaces/{workspace_id}/actions/approve-fork', {
        path: { workspace_id: workspaceId },
        body: {
          data: {
            type: 'fork-approvals',
            attributes: { 'pull-request-number': pullRequest, 'commit-sha': commit },
          },
        },
      }),
    () => {
      announce(texts.approved);
      setAsks(false);
    },
  );
  return (
    <>
      <Button look="small" aria-label={texts.approveFor(workspace)} onClick={() => setAsks(true)}>
        {texts.approve}
      </Button>
      {asks && (
        <AskDialog
          title={texts.approveTitle(commit.slice(0, 7), workspace)}
          action={texts.approveAndPlan}
          busy={approve.isPending}
          fault={approve.error}
          onAction={() => approve.mutate()}
          onClose={() => setAsks(false)}
        >
          <p>{texts.aPlanRuns}</p>
          <p>{texts.itGetsNo}</p>
        </AskDialog>
      )}
    </>
  );
}
