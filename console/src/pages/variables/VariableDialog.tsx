import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Area, Check, Field, Select } from '../../components/form/Field.tsx';
import type { Variable } from './rows.ts';

interface VariableDialogProps {
  readonly workspace: string;
  /** Undefined for a new one. */
  readonly variable?: Variable;
  readonly onClose: () => void;
}

const KINDS = [
  ['terraform', 'terraform: a variable of the configuration'],
  ['env', 'environment: of the process that plans and applies'],
] as const;

/** A variable, new or another from now on. The value of a sensitive one can be replaced, and not be read. */
export function VariableDialog({ workspace, variable, onClose }: VariableDialogProps) {
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
    (): Promise<unknown> =>
      variable
        ? workspaces.send('PATCH /workspaces/{workspace_id}/vars/{variable_id}', {
            path: { workspace_id: workspace, variable_id: variable.id },
            body: { data: { type: 'vars', attributes } },
          })
        : workspaces.send('POST /workspaces/{workspace_id}/vars', {
            path: { workspace_id: workspace },
            body: { data: { type: 'vars', attributes } },
          }),
    () => {
      announce(`Saved ${key}`);
      onClose();
    },
  );
  return (
    <AskDialog
      wide
      title={variable ? `Change ${before?.key}` : 'New variable'}
      action={variable ? 'Save' : 'Create variable'}
      off={key === '' && 'It needs a name'}
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
        help={before?.sensitive ? 'It is kept as it is as long as nothing is typed here.' : undefined}
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
