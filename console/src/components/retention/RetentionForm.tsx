import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import type { Resources } from '../../api/client.ts';
import { Field, Select } from '../form/Field.tsx';
import { Form } from '../form/Form.tsx';

type Policy =
  | Resources['data-retention-policy-delete-olders']
  | Resources['data-retention-policy-dont-deletes']
  | Resources['data-retention-policies'];

/** What is sent of a policy; undefined for none. */
export interface PolicyInput {
  readonly type: Policy['type'];
  readonly attributes?: { readonly 'delete-older-than-n-days': number };
}

/** What a policy does, in a sentence. */
export function retentionInWords({ type, attributes }: Policy): string {
  if (type === 'data-retention-policy-dont-deletes') return 'Nothing is deleted, whatever its age.';
  const days = attributes['delete-older-than-n-days'] ?? 'what each kind is given';
  return `Versions older than ${days} days are deleted; the current one never.`;
}

interface RetentionFormProps {
  readonly policy: Policy | undefined;
  /** What no policy means: `as the organization says`. */
  readonly none: string;
  readonly save: (policy: PolicyInput | undefined) => Promise<unknown>;
}

/** How long old states, configurations and runs are kept. */
export function RetentionForm({ policy, none, save }: RetentionFormProps) {
  const before = policy?.type ?? '';
  const daysBefore = String(policy?.attributes['delete-older-than-n-days'] ?? 90);
  const [kind, setKind] = useState<string>(before);
  const [days, setDays] = useState(daysBefore);
  const change = useChange(() => save(inputOf(kind, days)));
  const options = [
    ['', none],
    ['data-retention-policy-delete-olders', 'delete what is older'],
    ['data-retention-policy-dont-deletes', 'delete nothing'],
    ...(before === 'data-retention-policies' ? ([[before, 'each kind of its own (by the API)']] as const) : []),
  ] as const;
  return (
    <Form
      action="Save"
      onSubmit={() => change.mutate()}
      busy={change.isPending}
      fault={change.error}
      off={kind === before && days === daysBefore && 'Nothing is changed'}
    >
      <Select label="Policy" value={kind} options={options} onText={setKind} />
      {kind === 'data-retention-policy-delete-olders' && (
        <Field
          name="delete-older-than-n-days"
          label="Days"
          help="State versions, configurations and runs that are older go, and cannot be brought back."
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
