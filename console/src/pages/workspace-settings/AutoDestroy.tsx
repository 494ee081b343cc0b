import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { Field, Select } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { exact } from '../../format/time.ts';
import { type AutoDestroyPlan, attributesOf, planOf } from './auto-destroy.ts';
import type { PartProps } from './part.tsx';

const WHEN = [
  ['project', 'as the project says'],
  ['never', 'never'],
  ['at', 'at a time'],
  ['idle', 'after a time without activity'],
] as const;

/** When all that it manages is to be destroyed, for whoever carries that out. */
export function AutoDestroy({ workspace: { id, attributes } }: Pick<PartProps, 'workspace'>) {
  const before = planOf(attributes);
  const time = attributes['auto-destroy-at'];
  return (
    <>
      <p>{time === null ? 'No time is set.' : `All that it manages is to be destroyed on ${exact(time)}.`}</p>
      <p className="soft">
        The time is kept, and told to whoever asks. This server begins no run by it: that is for whoever reads it.
      </p>
      {attributes.permissions['can-manage-ephemeral-workspaces'] && (
        <AutoDestroyForm key={JSON.stringify(before)} workspace={id} before={before} />
      )}
    </>
  );
}

function AutoDestroyForm({ workspace, before }: { readonly workspace: string; readonly before: AutoDestroyPlan }) {
  const [plan, setPlan] = useState(before);
  const set = (change: Partial<AutoDestroyPlan>) => setPlan((known) => ({ ...known, ...change }));
  const isSame = plan.when === before.when && plan.at === before.at && plan.duration === before.duration;
  const save = useChange(() =>
    workspaces.send('PATCH /workspaces/{workspace_id}', {
      path: { workspace_id: workspace },
      body: { data: { type: 'workspaces', attributes: attributesOf(plan) } },
    }),
  );
  return (
    <Form
      action="Save time"
      isPrimary={false}
      busy={save.isPending}
      fault={save.error}
      off={isSame ? 'Nothing has changed' : plan.when === 'at' && plan.at === '' && 'It needs a time'}
      onSubmit={() => save.mutate()}
    >
      <Select
        label="Auto-destroy"
        value={plan.when}
        options={WHEN}
        onText={(when) => set({ when: when as AutoDestroyPlan['when'] })}
      />
      {plan.when === 'at' && (
        <Field
          name="auto-destroy-at"
          label="Time (UTC)"
          type="datetime-local"
          value={plan.at}
          onText={(at) => set({ at })}
        />
      )}
      {plan.when === 'idle' && (
        <Field
          name="auto-destroy-activity-duration"
          label="Without activity for"
          help="Days or hours: 14d, 6h."
          value={plan.duration}
          onText={(duration) => set({ duration })}
        />
      )}
    </Form>
  );
}
