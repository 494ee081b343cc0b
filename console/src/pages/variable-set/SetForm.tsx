import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { Check, Field } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import * as texts from './texts.ts';
import type { VariableSet } from './use-set.ts';

/** Settings of a variable set: its name, whether it is global, and its priority. */
export function SetForm({ set }: { readonly set: VariableSet }) {
  const before = set.attributes;
  const [name, setName] = useState(before.name);
  const [description, setDescription] = useState(before.description ?? '');
  const [global, setGlobal] = useState(before.global);
  const [priority, setPriority] = useState(before.priority);
  const isOfProject = set.relationships.parent.data?.type === 'projects';
  const isSame =
    name === before.name &&
    description === (before.description ?? '') &&
    global === before.global &&
    priority === before.priority;
  const save = useChange(() =>
    workspaces.send('PATCH /varsets/{varset_id}', {
      path: { varset_id: set.id },
      body: { data: { type: 'varsets', attributes: { name, description: description || null, global, priority } } },
    }),
  );
  return (
    <Form
      action={texts.saveSettings}
      isPrimary={false}
      onSubmit={() => save.mutate()}
      busy={save.isPending}
      fault={save.error}
      off={isSame && (save.isSuccess ? texts.saved : texts.noChanges)}
    >
      <Field name="name" label={texts.name} maxLength={90} value={name} onText={setName} />
      <Field name="description" label={texts.description} maxLength={512} value={description} onText={setDescription} />
      <Check
        name="global"
        label={texts.availableToEveryWorkspace}
        help={texts.theSelectedProjectsAnd}
        off={isOfProject && texts.itBelongsToAProject}
        checked={global}
        onCheck={setGlobal}
      />
      <Check
        name="priority"
        label={texts.priority}
        help={texts.itsValuesOverrideThose}
        checked={priority}
        onCheck={setPriority}
      />
    </Form>
  );
}
