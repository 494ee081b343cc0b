import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import type { Resources } from '../../api/client.ts';
import { Field, Select } from '../form/Field.tsx';
import { Form } from '../form/Form.tsx';
import * as texts from './texts.ts';

type Policy =
  | Resources['data-retention-policy-delete-olders']
  | Resources['data-retention-policy-dont-deletes']
  | Resources['data-retention-policies'];

/** Policy in the form that the API accepts; undefined for none. */
export interface PolicyInput {
  readonly type: Policy['type'];
  readonly attributes?: { readonly 'delete-older-than-n-days': number };
}

/** Describes a retention policy in a sentence. */
export function retentionInWords({ type, attributes }: Policy): string {
  if (type === 'data-retention-policy-dont-deletes') return texts.nothingIsDeleted;
  const days = attributes['delete-older-than-n-days'] ?? texts.theConfiguredNumberOf;
  return texts.deletesOlder(days);
}

interface RetentionFormProps {
  readonly policy: Policy | undefined;
  /** Label of the option without a policy: `as in the organization`. */
  readonly none: string;
  readonly save: (policy: PolicyInput | undefined) => Promise<unknown>;
}

/** Form for the retention of old state versions, configuration versions and runs. */
export function RetentionForm({ policy, none, save }: RetentionFormProps) {
  const before = policy?.type ?? '';
  const daysBefore = String(policy?.attributes['delete-older-than-n-days'] ?? 90);
  const [kind, setKind] = useState<string>(before);
  const [days, setDays] = useState(daysBefore);
  const change = useChange(() => save(inputOf(kind, days)));
  const options = [
    ['', none],
    ['data-retention-policy-delete-olders', texts.deleteOldVersions],
    ['data-retention-policy-dont-deletes', texts.deleteNothing],
    ...(before === 'data-retention-policies' ? ([[before, texts.differentForEachType]] as const) : []),
  ] as const;
  return (
    <Form
      action={texts.save}
      onSubmit={() => change.mutate()}
      busy={change.isPending}
      fault={change.error}
      off={kind === before && days === daysBefore && texts.noChanges}
    >
      <Select label={texts.policy} value={kind} options={options} onText={setKind} />
      {kind === 'data-retention-policy-delete-olders' && (
        <Field
          name="delete-older-than-n-days"
          label={texts.days}
          help={texts.olderStateVersionsConfiguration}
          type="number"
          min={1}
          value={days}
          onText={setDays}
        />
      )}
    </Form>
  );
}

function inputOf(kind: string, days: string): PolicyInput | undefined {
  if (kind === '') return undefined;
  const type = kind as Policy['type'];
  if (type !== 'data-retention-policy-delete-olders') return { type };
  return { type, attributes: { 'delete-older-than-n-days': Number(days) } };
}
