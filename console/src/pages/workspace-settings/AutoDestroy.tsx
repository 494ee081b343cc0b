import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { Field, Select } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { exact } from '../../format/time.ts';
import { type AutoDestroyPlan, attributesOf, planOf } from './auto-destroy.ts';
import type { PartProps } from './part.tsx';
import * as texts from './texts.ts';

const WHEN = [
  ['project', texts.projectDefault],
  ['never', 'never'],
  ['at', texts.atAFixedTime],
  ['idle', texts.afterAPeriodWithoutActivity],
] as const;

/** Time at which an external program is to destroy all resources of the workspace. */
export function AutoDestroy({ workspace: { id, attributes } }: Pick<PartProps, 'workspace'>) {
  const before = planOf(attributes);
  const time = attributes['auto-destroy-at'];
  return (
    <>
      <p>{time === null ? texts.noTimeIsSet : texts.allResourcesOfThis(exact(time))}</p>
      <p className="soft">{texts.theServerStoresThe}</p>
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
      action={texts.saveTime}
      isPrimary={false}
      busy={save.isPending}
      fault={save.error}
      off={isSame ? texts.noChanges : plan.when === 'at' && plan.at === '' && texts.enterATime}
      onSubmit={() => save.mutate()}
    >
      <Select
        label={texts.autoDestroy}
        value={plan.when}
        options={WHEN}
        onText={(when) => set({ when: when as AutoDestroyPlan['when'] })}
      />
      {plan.when === 'at' && (
        <Field
          name="auto-destroy-at"
          label={texts.timeUtc}
          type="datetime-local"
          value={plan.at}
          onText={(at) => set({ at })}
        />
      )}
      {plan.when === 'idle' && (
        <Field
          name="auto-destroy-activity-duration"
          label={texts.periodWithoutActivity}
          help={texts.daysOrHoursFor}
          value={plan.duration}
          onText={(duration) => set({ duration })}
        />
      )}
    </Form>
  );
}
