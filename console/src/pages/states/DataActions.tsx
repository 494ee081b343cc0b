import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Field } from '../../components/form/Field.tsx';
import styles from './states.module.css';
import type { Version } from './version.ts';

type Action = 'soft_delete_backing_data' | 'restore_backing_data' | 'permanently_delete_backing_data';

const DONE: Readonly<Record<Action, string>> = {
  soft_delete_backing_data: 'Deleted: it can be restored',
  restore_backing_data: 'Restored',
  permanently_delete_backing_data: 'Deleted for good',
};

interface DataActionsProps {
  readonly version: Version;
  readonly title: string;
}

/** What is stored of an old version: deleted, brought back, deleted for good. */
export function DataActions({ version, title }: DataActionsProps) {
  const { status, serial } = version.attributes;
  const [asks, setAsks] = useState<Action | undefined>();
  const [typed, setTyped] = useState('');
  const queries = useQueryClient();
  const act = useMutation({
    mutationFn: (action: Action) =>
      workspaces.send(`POST /state-versions/{state_version_id}/actions/${action}`, {
        path: { state_version_id: version.id },
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: workspaces.key() }),
    onSuccess: (_, action) => {
      announce(DONE[action]);
      setAsks(undefined);
      setTyped('');
    },
  });
  if (status !== 'finalized' && status !== 'backing_data_soft_deleted') return null;
  const isForGood = asks === 'permanently_delete_backing_data';
  return (
    <div className={styles.data}>
      {status === 'finalized' ? (
        <>
          <Button look="small" onClick={() => setAsks('soft_delete_backing_data')}>
            Delete its data…
          </Button>
          <span className="soft">
            The version stays in the list. The data can be restored until it is deleted for good.
          </span>
        </>
      ) : (
        <>
          <Button look="small" onClick={() => act.mutate('restore_backing_data')}>
            {act.isPending && !asks ? 'Restoring…' : 'Restore'}
          </Button>
          <Button look={['small', 'danger']} onClick={() => setAsks('permanently_delete_backing_data')}>
            Delete for good…
          </Button>
          {act.error && !asks && <span role="alert">{act.error.message}</span>}
        </>
      )}
      {asks && (
        <AskDialog
          title={isForGood ? `Delete ${title} for good` : `Delete the data of ${title}`}
          action={isForGood ? 'Delete for good' : 'Delete'}
          destroys
          off={isForGood && typed !== String(serial) ? 'Type the serial first' : undefined}
          busy={act.isPending}
          fault={act.error}
          onAction={() => act.mutate(asks)}
          onClose={() => setAsks(undefined)}
        >
          {isForGood ? (
            <>
              <p>Nobody can bring it back, and nobody can roll back to it any more.</p>
              <Field
                label="Serial of the state"
                help={`Type ${serial} to go on.`}
                value={typed}
                onText={setTyped}
                autoFocus
                autoComplete="off"
              />
            </>
          ) : (
            <p>It cannot be downloaded, compared or rolled back to, until somebody restores it.</p>
          )}
        </AskDialog>
      )}
    </div>
  );
}
