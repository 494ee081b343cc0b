import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import type { Resources } from '../../api/client.ts';
import { announce } from '../copy/announce.ts';
import { AskDialog } from '../dialog/Dialog.tsx';
import { Area, Check, Field, Select } from '../form/Field.tsx';

type Variable = Resources['vars'];

/** What is sent of a variable; a value that nobody typed is not. */
export interface VariableInput
  extends Pick<Variable['attributes'], 'key' | 'category' | 'hcl' | 'sensitive' | 'description'> {
  readonly value?: string;
}

interface VariableDialogProps {
  /** Undefined for a new one. */
  readonly variable?: Variable;
  readonly save: (attributes: VariableInput) => Promise<unknown>;
  readonly onClose: () => void;
}

const KINDS = [
  ['terraform', 'terraform: a variable of the configuration'],
  ['env', 'environment: of the process that plans and applies'],
] as const;

/** A variable, new or another from now on. The value of a sensitive one can be replaced, and not be read. */
export function VariableDialog({ variable, save, onClose }: VariableDialogProps) {
  const before = variable?.attributes;
  const [key, setKey] = useState(before?.key ?? '');
  const [value, setValue] = useState<string | undefined>(before?.sensitive ? undefined : (before?.value ?? ''));
  const [category, setCategory] = useState<string>(before?.category ?? 'terraform');
  const [hcl, setHcl] = useState(before?.hcl ?? false);
  const [sensitive, setSensitive] = useState(before?.sensitive ?? false);
  const [description, setDescription] = useState(before?.description ?? '');
  const attributes = {
    key,
    category: category as 'terraform' | 'env',
    hcl,
    sensitive,
    description,
    ...(value !== undefined && { value }),
  };
  const change = useChange(
    () => save(attributes),
    () => {
      announce(`Saved ${key}`);
      onClose();
    },
  );
  const isRenamed = before?.sensitive === true && key !== before.key && value === undefined;
  return (
    <AskDialog
      wide
      title={variable ? `Change ${before?.key}` : 'New variable'}
      action={variable ? 'Save' : 'Create variable'}
      off={
        (key === '' && 'It needs a name') || (isRenamed && 'A sensitive variable needs its value again for a new name')
      }
      busy={change.isPending}
      fault={change.error}
      onAction={() => change.mutate()}
      onClose={onClose}
    >
      <Field name="key" label="Name" value={key} onText={setKey} autoFocus autoComplete="off" spellCheck={false} />
      <Area
        name="value"
        label="Value"
        isCode
        rows={hcl ? 6 : 2}
        help={before?.sensitive ? 'Leave it empty to keep it. A new name needs the value again.' : undefined}
        value={value ?? ''}
        onText={setValue}
      />
      <Select name="category" label="Kind" value={category} options={KINDS} onText={setCategory} />
      <Check name="hcl" label="HCL" help="The value is an expression: a list, a map." checked={hcl} onCheck={setHcl} />
      <Check
        name="sensitive"
        label="Sensitive"
        help="It is given to runs and shown to nobody. That cannot be taken back."
        off={before?.sensitive && 'It stays so: make another variable for a value that may be seen'}
        checked={sensitive}
        onCheck={setSensitive}
      />
      <Field name="description" label="Description" value={description} onText={setDescription} />
    </AskDialog>
  );
}
