import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { access } from '../../api/client.ts';
import { Banner } from '../banner/Banner.tsx';
import { announce } from '../copy/announce.ts';
import { Area, Check, Field, FieldGroup, Select } from '../form/Field.tsx';
import { Form } from '../form/Form.tsx';
import { changesOf, type FieldGroups, type Filled, filledOf, type RoleField, whyUnreadable } from './fields.ts';
import * as texts from './texts.ts';

interface RoleFormProps {
  readonly groups: FieldGroups;
  /** Path of the role below `/v1`. */
  readonly place: string;
  readonly name: string;
  /** The stored role, if there is one. */
  readonly role: object;
  /** Initial values of a new role, if they differ from the defaults. */
  readonly start?: object | undefined;
  readonly mayWrite: boolean;
  readonly write: (changes: Record<string, unknown>) => Promise<unknown>;
  /** Called when the name of a new role changes. */
  readonly onName?: (name: string) => void;
  /** Called after the role was created, with the server's warnings. */
  readonly onMade?: (warnings: readonly string[]) => Promise<void>;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Warnings about the role that was just created. */
    readonly warnings?: readonly string[];
  }
}

/** Form of a role, with the API's field names. Sends only changed fields. */
export function RoleForm({ groups, place, name, role, start, mayWrite, write, onName, onMade }: RoleFormProps) {
  const before = filledOf(groups, role);
  const [after, setAfter] = useState<Filled>(() => ({ ...before, ...(start && filledOf(groups, start)) }));
  const [saved, setSaved] = useState<object>();
  // After a save the form shows the values as the server stores them: it normalizes some.
  if (saved !== undefined && saved !== role) {
    setSaved(undefined);
    setAfter(before);
  }
  const queries = useQueryClient();
  const { warnings: ofMaking = [] } = useLocation().state;
  const save = useMutation({
    mutationFn: () => write(changesOf(groups, before, after)),
    onSuccess: async (answer) => {
      announce(texts.saved(name));
      setSaved(role);
      await queries.invalidateQueries({ queryKey: access.key() });
      await onMade?.(warningsOf(answer));
    },
  });
  const unreadable = whyUnreadable(groups, after);
  const isSame = unreadable === undefined && Object.keys(changesOf(groups, before, after)).length === 0;
  const unnamed = onName && name === '' && texts.enterAName;
  return (
    <Form
      action={onName ? texts.createRole : texts.save}
      isPrimary={mayWrite}
      busy={save.isPending}
      fault={save.error}
      off={mayWrite ? unnamed || unreadable || (isSame && texts.noChanges) : texts.requiresUpdateOn(place)}
      done={save.isSuccess && isSame && texts.saved2}
      onSubmit={() => save.mutate()}
    >
      {(save.data === undefined ? ofMaking : warningsOf(save.data)).map((warning) => (
        <Banner key={warning} is="attention" icon="warn">
          {warning}
        </Banner>
      ))}
      {onName && <Field label={texts.name} value={name} onText={onName} autoComplete="off" spellCheck={false} />}
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

/** Returns the warnings in the server's response to a write. */
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
  const off = isOff && texts.youHaveNoPermission;
  if (kind === 'flag') return <Check {...around} off={off} checked={value === true} onCheck={onValue} />;
  if (kind === 'choice') {
    return <Select {...around} off={off} value={String(value)} options={options} onText={onValue} />;
  }
  const text = { ...around, value: String(value), onText: onValue, readOnly: isOff, spellCheck: false };
  if (kind === 'text' || kind === 'number') return <Field {...text} />;
  return <Area {...text} isCode rows={kind === 'code' ? 8 : kind === 'claims' ? 4 : 2} />;
}
