import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { Check, Field } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import type { VariableSet } from './use-set.ts';

/** How a set is called, whether it is everybody's, and whether it wins. */
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
      action="Save settings"
      isPrimary={false}
      onSubmit={() => save.mutate()}
      busy={save.isPending}
      fault={save.error}
      off={isSame && (save.isSuccess ? 'Saved' : 'Nothing is changed')}
    >
      <Field name="name" label="Name" maxLength={90} value={name} onText={setName} />
      <Field name="description" label="Description" maxLength={512} value={description} onText={setDescription} />
      <Check
        name="global"
        label="For every workspace of the organization"
        help="What it is given to one by one is kept, for when it is not for all any more."
        off={isOfProject && 'It belongs to a project'}
        checked={global}
        onCheck={setGlobal}
      />
      <Check
        name="priority"
        label="Priority"
        help="Its values win over those that workspaces and runs set themselves."
        checked={priority}
        onCheck={setPriority}
      />
    </Form>
  );
}
