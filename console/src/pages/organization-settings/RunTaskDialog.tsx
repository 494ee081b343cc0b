import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Check, Field } from '../../components/form/Field.tsx';
import { type Judgement, Judges } from '../../components/run-tasks/Judges.tsx';
import type { RunTask } from './RunTasks.tsx';

interface RunTaskDialogProps {
  readonly organization: string;
  /** Undefined for a new one. */
  readonly task?: RunTask;
  readonly onClose: () => void;
}

/** Which service is asked, and whether about all workspaces. The server tries it before it stores anything. */
export function RunTaskDialog({ organization, task, onClose }: RunTaskDialogProps) {
  const before = task?.attributes;
  const global = before?.['global-configuration'];
  const [name, setName] = useState(before?.name ?? '');
  const [url, setUrl] = useState(before?.url ?? '');
  const [description, setDescription] = useState(before?.description ?? '');
  const [key, setKey] = useState<string | undefined>();
  const [enabled, setEnabled] = useState(before?.enabled ?? true);
  const [ofAll, setOfAll] = useState(global?.enabled ?? false);
  const [judgement, setJudgement] = useState<Judgement>(
    global && global.stages.length > 0 ? global : { stages: ['post_plan'], 'enforcement-level': 'advisory' },
  );
  const save = useChange(
    (): Promise<unknown> => {
      const attributes = {
        name,
        url,
        description,
        enabled,
        ...(key !== undefined && { 'hmac-key': key || null }),
        ...((ofAll || global?.enabled) && {
          'global-configuration': {
            enabled: ofAll,
            stages: judgement.stages,
            'enforcement-level': judgement['enforcement-level'],
          },
        }),
      };
      if (task) {
        return workspaces.send('PATCH /tasks/{task_id}', {
          path: { task_id: task.id },
          body: { data: { type: 'tasks', attributes } },
        });
      }
      return workspaces.send('POST /organizations/{organization_name}/tasks', {
        path: { organization_name: organization },
        body: { data: { type: 'tasks', attributes: { ...attributes, category: 'task' } } },
      });
    },
    () => {
      announce(`Saved ${name}`);
      onClose();
    },
  );
  return (
    <AskDialog
      wide
      title={task ? `Change ${before?.name}` : 'New run task'}
      action={task ? 'Save' : 'Create run task'}
      off={(name === '' || url === '') && 'It needs a name and an address'}
      busy={save.isPending}
      fault={save.error}
      onAction={() => save.mutate()}
      onClose={onClose}
    >
      <Field name="name" label="Name" value={name} onText={setName} autoFocus autoComplete="off" />
      <Field
        name="url"
        label="Address"
        help="Of the service that is asked."
        type="url"
        value={url}
        onText={setUrl}
        autoComplete="off"
        spellCheck={false}
      />
      <Field
        name="hmac-key"
        label="Key"
        help={
          task
            ? 'Leave it empty to keep the stored one. A new address needs it again. It is never shown.'
            : 'Signs each request, so that the service knows whom it is from. It is shown to nobody.'
        }
        value={key ?? ''}
        onText={setKey}
        autoComplete="off"
        spellCheck={false}
      />
      <Field name="description" label="Description" value={description} onText={setDescription} />
      <Check
        name="enabled"
        label="Enabled"
        help="It is tried first: nothing is stored unless the service answers."
        checked={enabled}
        onCheck={setEnabled}
      />
      <Check
        name="global-configuration"
        label="For every workspace of the organization"
        help="Without it, it judges those that it is attached to."
        checked={ofAll}
        onCheck={setOfAll}
      />
      {ofAll && <Judges value={judgement} onChange={setJudgement} />}
    </AskDialog>
  );
}
