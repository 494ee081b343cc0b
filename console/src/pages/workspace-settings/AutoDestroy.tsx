import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Field, Select } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { AutoDestroyState } from '../../components/state/AutoDestroyState.tsx';
import { exact } from '../../format/time.ts';
import { type AutoDestroyPlan, attributesOf, hasPassed, planOf } from './auto-destroy.ts';
import type { PartProps } from './part.tsx';
import * as texts from './texts.ts';

const WHEN = [
  ['project', texts.projectDefault],
  ['never', 'never'],
  ['at', texts.atAFixedTime],
  ['idle', texts.afterAPeriodWithoutActivity],
] as const;

/** Time at which the server destroys all resources of the workspace, and the outcome of the last destroy run. */
export function AutoDestroy({ organization, workspace: { id, attributes } }: PartProps) {
  const before = planOf(attributes);
  const mayChange = attributes.permissions['can-manage-ephemeral-workspaces'];
  const { 'auto-destroy-run-id': run, 'auto-destroy-next-attempt-at': next } = attributes;
  const params = { organization, workspace: attributes.name, run: run ?? '' };
  return (
    <>
      <p>
        {attributes['auto-destroy-status'] && <AutoDestroyState status={attributes['auto-destroy-status']} />}{' '}
        {attributes['auto-destroy-explanation'] ?? texts.noTimeIsSet} {next && texts.nextAttempt(exact(next))}{' '}
        {run && (
          <Link className="link" to="/$organization/workspaces/$workspace/runs/$run" params={params}>
            {texts.openTheRun}
          </Link>
        )}
      </p>
      {mayChange && attributes['auto-destroy-status'] === 'errored' && <Retry workspace={id} />}
      <p className="soft">{texts.theServerStartsAnd}</p>
      {mayChange && <AutoDestroyForm key={JSON.stringify(before)} workspace={id} before={before} />}
    </>
  );
}

function Retry({ workspace }: { readonly workspace: string }) {
  const retry = useChange(() =>
    workspaces.send('POST /workspaces/{workspace_id}/actions/retry-auto-destroy', {
      path: { workspace_id: workspace },
    }),
  );
  return (
    <p>
      <Button onClick={() => retry.mutate()}>{texts.retryNow}</Button>{' '}
      {retry.error && <span role="alert">{retry.error.message}</span>}
    </p>
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
          help={hasPassed(plan.at) && texts.thisTimeHasPassed}
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
