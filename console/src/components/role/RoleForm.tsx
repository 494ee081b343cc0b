import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { access } from '../../api/client.ts';
import { Banner } from '../banner/Banner.tsx';
import { announce } from '../copy/announce.ts';
import { Area, Check, Field, FieldGroup, Select } from '../form/Field.tsx';
import { Form } from '../form/Form.tsx';
import { changesOf, type FieldGroups, type Filled, filledOf, type RoleField, whyUnreadable } from './fields.ts';

interface RoleFormProps {
  readonly groups: FieldGroups;
  /** Its path below `/v1`. */
  readonly place: string;
  readonly name: string;
  /** What it says now. */
  readonly role: object;
  /** What somebody begins with, where that is something else. */
  readonly start?: object | undefined;
  readonly mayWrite: boolean;
  readonly write: (changes: Record<string, unknown>) => Promise<unknown>;
  /** Of a new one. */
  readonly onName?: (name: string) => void;
  /** Shows it, with what the server thinks of it. */
  readonly onMade?: (warnings: readonly string[]) => Promise<void>;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Warnings about the role that was just created. */
    readonly warnings?: readonly string[];
  }
}

/** What a role says, in the words of the API: what has been changed is written. */
export function RoleForm({ groups, place, name, role, start, mayWrite, write, onName, onMade }: RoleFormProps) {
  const before = filledOf(groups, role);
  const [after, setAfter] = useState<Filled>(() => ({ ...before, ...(start && filledOf(groups, start)) }));
  const queries = useQueryClient();
  const { warnings: ofMaking = [] } = useLocation().state;
  const save = useMutation({
    mutationFn: () => write(changesOf(groups, before, after)),
    onSuccess: async (answer) => {
      announce(`Saved ${name}`);
      await queries.invalidateQueries({ queryKey: access.key() });
      await onMade?.(warningsOf(answer));
    },
  });
  const unreadable = whyUnreadable(groups, after);
  const isSame = unreadable === undefined && Object.keys(changesOf(groups, before, after)).length === 0;
  const unnamed = onName && name === '' && 'It needs a name';
  return (
    <Form
      action={onName ? 'Create role' : 'Save'}
      isPrimary={mayWrite}
      busy={save.isPending}
      fault={save.error}
      off={mayWrite ? unnamed || unreadable || (isSame && 'Nothing has changed') : `It takes update on ${place}`}
      done={save.isSuccess && isSame && 'Saved'}
      onSubmit={() => save.mutate()}
    >
      {(save.data === undefined ? ofMaking : warningsOf(save.data)).map((warning) => (
        <Banner key={warning} is="attention" icon="warn">
          {warning}
        </Banner>
      ))}
      {onName && <Field label="Name" value={name} onText={onName} autoComplete="off" spellCheck={false} />}
      {groups.map(([label, fields]) => (
        <FieldGroup key={label} label={label}>
          {fields.map((one) => (
            <Filling
              key={one.name}
              field={one}
              value={after[one.name] ?? ''}
              isOff={!mayWrite}
              onValue={(value) => setAfter((known) => ({ ...known, [one.name]: value }))}
            />
          ))}
        </FieldGroup>
      ))}
    </Form>
  );
}

/** What the server thinks of what it has stored. */
export const warningsOf = (answer: unknown): readonly string[] =>
  (answer as { readonly warnings?: readonly string[] | null } | undefined)?.warnings ?? [];

interface FillingProps {
  readonly field: RoleField;
  readonly value: string | boolean;
  readonly isOff: boolean;
  readonly onValue: (value: string | boolean) => void;
}

function Filling({ field: { name, label, kind, help, options = [] }, value, isOff, onValue }: FillingProps) {
  const around = { name, label, ...(help && { help }) };
  const off = isOff && 'You may not change it';
  if (kind === 'flag') return <Check {...around} off={off} checked={value === true} onCheck={onValue} />;
  if (kind === 'choice') {
    return <Select {...around} off={off} value={String(value)} options={options} onText={onValue} />;
  }
  const text = { ...around, value: String(value), onText: onValue, readOnly: isOff, spellCheck: false };
  if (kind === 'text' || kind === 'number') return <Field {...text} />;
  return <Area {...text} isCode rows={kind === 'code' ? 8 : kind === 'claims' ? 4 : 2} />;
}
