import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { Field, Select } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { Section } from '../../components/section/Section.tsx';
import { usePart } from './part.tsx';

const AT = '/organizations/{organization_name}/relationships/data-retention-policy';

/** How long old states, configurations and runs are kept where a workspace does not say it. */
export function Retention() {
  const { organization, path, answer, may } = usePart('Retention', (name) =>
    workspaces.request(`GET ${AT}`, { path: { organization_name: name } }),
  );
  const isSet = Boolean(answer?.data.relationships['data-retention-policy']?.data);
  // Where there is none the question would be refused.
  const policy = useQuery({ ...workspaces.query(`GET ${AT}`, { path }), enabled: isSet });
  if (!answer || (isSet && !policy.data)) return null;
  const attributes: Readonly<Record<string, unknown>> = isSet ? { ...policy.data?.data.attributes } : {};
  const kind = isSet ? (policy.data?.data.type ?? '') : '';
  const days = attributes['delete-older-than-n-days'];
  const now =
    kind === ''
      ? 'Everything is kept for ever, unless a workspace says otherwise.'
      : kind === 'data-retention-policy-dont-deletes'
        ? 'Nothing is deleted, whatever its age.'
        : `Versions older than ${String(days ?? 'what each kind is given')} days are deleted; the current one never.`;
  return (
    <Section title="Retention">
      <p>{now}</p>
      {may?.['can-update'] && (
        <RetentionForm
          key={`${organization} ${kind} ${String(days)}`}
          organization={organization}
          kind={kind}
          days={days}
        />
      )}
    </Section>
  );
}

interface FormProps {
  readonly organization: string;
  readonly kind: string;
  readonly days: unknown;
}

function RetentionForm({ organization, kind: before, days: daysBefore }: FormProps) {
  const path = { organization_name: organization };
  const [kind, setKind] = useState(before);
  const [days, setDays] = useState(String(daysBefore ?? '90'));
  const save = useChange(async (): Promise<unknown> => {
    if (kind === '') return workspaces.send(`DELETE ${AT}`, { path });
    const older = { 'delete-older-than-n-days': Number(days) };
    return workspaces.send(`POST ${AT}`, {
      path,
      body: {
        data: {
          type: kind as 'data-retention-policies',
          ...(kind === 'data-retention-policy-delete-olders' && { attributes: older }),
        },
      },
    });
  });
  const options = [
    ['', 'no policy'],
    ['data-retention-policy-delete-olders', 'delete what is older'],
    ['data-retention-policy-dont-deletes', 'delete nothing'],
    ...(before === 'data-retention-policies' ? ([[before, 'each kind of its own (by the API)']] as const) : []),
  ] as const;
  return (
    <Form
      action="Save"
      onSubmit={() => save.mutate()}
      busy={save.isPending}
      fault={save.error}
      off={kind === before && days === String(daysBefore ?? '90') && 'Nothing is changed'}
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
