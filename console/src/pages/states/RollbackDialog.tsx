import { useMutation, useQueryClient } from '@tanstack/react-query';
import { workspaces } from '../../api/client.ts';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { count } from '../../format/number.ts';
import type { Version } from './version.ts';

interface RollbackDialogProps {
  readonly workspaceId: string;
  readonly name: string;
  readonly version: Version;
  readonly onClose: () => void;
  readonly onDone?: () => void;
}

/** Makes an old state the current one again, as a version of its own. */
export function RollbackDialog({ workspaceId, name, version, onClose, onDone }: RollbackDialogProps) {
  const queries = useQueryClient();
  const { serial, 'billable-rum-count': resources } = version.attributes;
  const rollback = useMutation({
    mutationFn: () =>
      workspaces.send('PATCH /workspaces/{workspace_id}/state-versions', {
        path: { workspace_id: workspaceId },
        body: {
          data: {
            type: 'state-versions',
            relationships: { 'rollback-state-version': { data: { id: version.id } } },
          },
        },
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: workspaces.key() }),
    onSuccess: ({ data }) => {
      announce(`Rolled back: the current state is ${data.attributes.serial}`);
      onClose();
      onDone?.();
    },
  });
  return (
    <AskDialog
      title={`Roll back to ${serial}`}
      action="Roll back"
      busy={rollback.isPending}
      fault={rollback.error}
      onAction={() => rollback.mutate()}
      onClose={onClose}
    >
      <p>
        The state {serial} of {name}, with {count(resources)} resources, becomes the current one again, under the next
        serial. Nothing is deleted. What was built since then stays where it is, and is in no state any more: the next
        plan does not know of it.
      </p>
    </AskDialog>
  );
}
