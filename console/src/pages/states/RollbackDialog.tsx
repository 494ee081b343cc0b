import { useMutation, useQueryClient } from '@tanstack/react-query';
import { workspaces } from '../../api/client.ts';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { count } from '../../format/number.ts';
import * as texts from './texts.ts';
import type { Version } from './version.ts';

interface RollbackDialogProps {
  readonly workspaceId: string;
  readonly name: string;
  readonly version: Version;
  readonly onClose: () => void;
  readonly onDone?: () => void;
}

/** Asks for confirmation and rolls back to an old state: its content becomes a new version with the next serial. */
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
      announce(texts.rolledBackTheCurrent(data.attributes.serial));
      onClose();
      onDone?.();
    },
  });
  return (
    <AskDialog
      title={texts.rollBackTo2(serial)}
      action={texts.rollBack}
      busy={rollback.isPending}
      fault={rollback.error}
      onAction={() => rollback.mutate()}
      onClose={onClose}
    >
      <p>{texts.stateOfWithResources(serial, name, count(resources))}</p>
    </AskDialog>
  );
}
