import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Check, Field } from '../../components/form/Field.tsx';
import { type Evaluation, EvaluationSettings } from '../../components/run-tasks/EvaluationSettings.tsx';
import type { RunTask } from './RunTasks.tsx';
import * as texts from './texts.ts';

interface RunTaskDialogProps {
  readonly organization: string;
  /** The stored run task. Undefined for a new one. */
  readonly task?: RunTask;
  readonly onClose: () => void;
}

/** Form for a run task. The server sends a test request before it stores the task. */
export function RunTaskDialog({ organization, task, onClose }: RunTaskDialogProps) {
  const before = task?.attributes;
  const global = before?.['global-configuration'];
  const [name, setName] = useState(before?.name ?? '');
  const [url, setUrl] = useState(before?.url ?? '');
  const [description, setDescription] = useState(before?.description ?? '');
  const [key, setKey] = useState<string | undefined>();
  const [enabled, setEnabled] = useState(before?.enabled ?? true);
  const [ofAll, setOfAll] = useState(global?.enabled ?? false);
  const [evaluation, setEvaluation] = useState<Evaluation>(
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
            stages: evaluation.stages,
            'enforcement-level': evaluation['enforcement-level'],
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
      announce(texts.saved2(name));
      onClose();
    },
  );
  return (
    <AskDialog
      wide
      title={task ? texts.changeTask(before?.name) : texts.newRunTask}
      action={task ? texts.save : texts.createRunTask}
      off={(name === '' || url === '') && texts.enterANameAnd}
      busy={save.isPending}
      fault={save.error}
      onAction={() => save.mutate()}
      onClose={onClose}
    >
      <Field name="name" label={texts.name} value={name} onText={setName} autoFocus autoComplete="off" />
      <Field
        name="url"
        label={texts.url}
        help={texts.urlOfTheExternalService}
        type="url"
        value={url}
        onText={setUrl}
        autoComplete="off"
        spellCheck={false}
      />
      <Field
        name="hmac-key"
        label={texts.hmacKey}
        help={task ? texts.leaveEmptyToKeep : texts.signsEachRequestSo}
        value={key ?? ''}
        onText={setKey}
        autoComplete="off"
        spellCheck={false}
      />
      <Field name="description" label={texts.description} value={description} onText={setDescription} />
      <Check name="enabled" label={texts.enabled} help={texts.whenYouSaveThe} checked={enabled} onCheck={setEnabled} />
      <Check
        name="global-configuration"
        label={texts.evaluateRunsOfEvery}
        help={texts.ifOffTheTask}
        checked={ofAll}
        onCheck={setOfAll}
      />
      {ofAll && <EvaluationSettings value={evaluation} onChange={setEvaluation} />}
    </AskDialog>
  );
}
