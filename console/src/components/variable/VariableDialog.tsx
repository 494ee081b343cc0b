import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import type { Resources } from '../../api/client.ts';
import { announce } from '../copy/announce.ts';
import { AskDialog } from '../dialog/Dialog.tsx';
import { Area, Check, Field, Select } from '../form/Field.tsx';
import * as texts from './texts.ts';

type Variable = Resources['vars'];

/** Attributes to send. An untouched value is left out. */
export interface VariableInput
  extends Pick<Variable['attributes'], 'key' | 'category' | 'hcl' | 'sensitive' | 'description' | 'apply-only'> {
  readonly value?: string;
}

interface VariableDialogProps {
  /** The variable to change. Undefined for a new one. */
  readonly variable?: Variable;
  readonly save: (attributes: VariableInput) => Promise<unknown>;
  readonly onClose: () => void;
}

const KINDS = [
  ['terraform', texts.terraformAnInputVariable],
  ['env', texts.environmentAnEnvironmentVariable],
] as const;

/** Form for a new or existing variable. The value of a sensitive variable can be replaced but not read. */
export function VariableDialog({ variable, save, onClose }: VariableDialogProps) {
  const before = variable?.attributes;
  const [key, setKey] = useState(before?.key ?? '');
  const [value, setValue] = useState<string | undefined>(before?.sensitive ? undefined : (before?.value ?? ''));
  const [category, setCategory] = useState<string>(before?.category ?? 'terraform');
  const [hcl, setHcl] = useState(before?.hcl ?? false);
  const [sensitive, setSensitive] = useState(before?.sensitive ?? false);
  const [applyOnly, setApplyOnly] = useState(before?.['apply-only'] ?? false);
  const [description, setDescription] = useState(before?.description ?? '');
  const attributes = {
    key,
    category: category as 'terraform' | 'env',
    hcl,
    sensitive,
    description,
    'apply-only': applyOnly,
    ...(value !== undefined && { value }),
  };
  const change = useChange(
    () => save(attributes),
    () => {
      announce(texts.saved(key));
      onClose();
    },
  );
  const isKept = before?.sensitive === true && value === undefined;
  const isRenamed = isKept && key !== before.key;
  const isReleased = isKept && before['apply-only'] && !applyOnly;
  return (
    <AskDialog
      wide
      title={variable ? texts.changeVariable(before?.key) : texts.newVariable}
      action={variable ? texts.save : texts.createVariable}
      off={
        (key === '' && texts.enterAName) ||
        (isRenamed && texts.enterTheValueAgain) ||
        (isReleased && texts.enterTheValueToo)
      }
      busy={change.isPending}
      fault={change.error}
      onAction={() => change.mutate()}
      onClose={onClose}
    >
      <Field
        name="key"
        label={texts.name}
        value={key}
        onText={setKey}
        autoFocus
        autoComplete="off"
        spellCheck={false}
      />
      <Area
        name="value"
        label={texts.value}
        isCode
        rows={hcl ? 6 : 2}
        help={before?.sensitive ? texts.leaveEmptyToKeep : undefined}
        value={value ?? ''}
        onText={setValue}
      />
      <Select name="category" label={texts.category} value={category} options={KINDS} onText={setCategory} />
      <Check name="hcl" label={texts.hcl2} help={texts.theValueIsAn} checked={hcl} onCheck={setHcl} />
      <Check
        name="sensitive"
        label={texts.sensitive}
        help={texts.runsReceiveTheValue}
        off={before?.sensitive && texts.sensitiveVariablesStaySensitive}
        checked={sensitive}
        onCheck={setSensitive}
      />
      <Check
        name="apply-only"
        label={texts.notForSpeculative}
        help={texts.plansOfPull}
        checked={applyOnly}
        onCheck={setApplyOnly}
      />
      <Field name="description" label={texts.description} value={description} onText={setDescription} />
    </AskDialog>
  );
}
