import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Field } from '../../components/form/Field.tsx';
import styles from './states.module.css';
import * as texts from './texts.ts';
import type { Version } from './version.ts';

type Action = 'soft_delete_backing_data' | 'restore_backing_data' | 'permanently_delete_backing_data';

const DONE: Readonly<Record<Action, string>> = {
  soft_delete_backing_data: texts.dataDeletedItCan,
  restore_backing_data: texts.dataRestored,
  permanently_delete_backing_data: texts.dataDeletedPermanently,
};

interface DataActionsProps {
  readonly version: Version;
  readonly title: string;
}

/** Actions on the stored data of an old version: delete, restore, delete permanently. */
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
            {texts.deleteData}
          </Button>
          <span className="soft">{texts.theVersionStaysIn}</span>
        </>
      ) : (
        <>
          <Button look="small" onClick={() => act.mutate('restore_backing_data')}>
            {act.isPending && !asks ? texts.restoring : texts.restoreData}
          </Button>
          <Button look={['small', 'danger']} onClick={() => setAsks('permanently_delete_backing_data')}>
            {texts.deletePermanently}
          </Button>
          {act.error && !asks && <span role="alert">{act.error.message}</span>}
        </>
      )}
      {asks && (
        <AskDialog
          title={isForGood ? texts.deletePermanently2(title) : texts.deleteTheDataOf(title)}
          action={isForGood ? texts.deletePermanently3 : texts.deleteData2}
          destroys
          off={isForGood && typed !== String(serial) ? texts.typeTheSerialToConfirm : undefined}
          busy={act.isPending}
          fault={act.error}
          onAction={() => act.mutate(asks)}
          onClose={() => setAsks(undefined)}
        >
          {isForGood ? (
            <>
              <p>{texts.theDataCannotBe}</p>
              <Field
                label={texts.serialOfTheState}
                help={texts.typeToConfirm(serial)}
                value={typed}
                onText={setTyped}
                autoFocus
                autoComplete="off"
              />
            </>
          ) : (
            <p>{texts.untilItsDataIs}</p>
          )}
        </AskDialog>
      )}
    </div>
  );
}
