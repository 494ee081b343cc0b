import { type FormEvent, useState } from 'react';
import { Button } from '../../components/button/Button.tsx';
import { Chips, FilterChip } from '../../components/chip/Chip.tsx';
import { Field, Select } from '../../components/form/Field.tsx';
import styles from './explorer.module.css';
import { FIELDS, OPERATORS, type ViewType } from './fields.ts';
import type { Condition } from './search.ts';
import * as texts from './texts.ts';

interface ConditionsProps {
  readonly type: ViewType;
  readonly conditions: readonly Condition[];
  readonly onChange: (conditions: readonly Condition[]) => void;
}

/** Conditions of the query, and a form that adds one. */
export function Conditions({ type, conditions, onChange }: ConditionsProps) {
  return (
    <>
      <AddCondition key={type} type={type} onAdd={(condition) => onChange([...conditions, condition])} />
      {conditions.length > 0 && (
        <Chips>
          {conditions.map((condition) => (
            <FilterChip
              key={`${condition.field} ${condition.operator} ${condition.value}`}
              name={texts.labelOf(condition.field)}
              value={`${texts.operators[condition.operator] ?? condition.operator} ${condition.value}`.trim()}
              onRemove={() => onChange(conditions.filter((one) => one !== condition))}
            />
          ))}
        </Chips>
      )}
    </>
  );
}

interface AddConditionProps {
  readonly type: ViewType;
  readonly onAdd: (condition: Condition) => void;
}

function AddCondition({ type, onAdd }: AddConditionProps) {
  const names = Object.keys(FIELDS[type]);
  const [field, setField] = useState(names[0] ?? '');
  const [chosen, setOperator] = useState('');
  const [typed, setValue] = useState('');
  const kind = FIELDS[type][field] ?? 'text';
  const operator = OPERATORS[kind].includes(chosen) ? chosen : (OPERATORS[kind][0] ?? '');
  const takesValue = !operator.endsWith('_empty');
  const value = kind === 'boolean' && typed !== 'false' ? 'true' : typed.trim();
  const off = takesValue && value === '' && texts.enterAValue;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (off) return;
    onAdd({ field, operator, value: takesValue ? value : '' });
    setValue('');
  };
  return (
    <form className={styles.add} onSubmit={submit} noValidate>
      <Select
        label={texts.field}
        value={field}
        options={names.map((name) => [name, texts.labelOf(name)] as const)}
        onText={setField}
      />
      <Select
        label={texts.operator}
        value={operator}
        options={OPERATORS[kind].map((word) => [word, texts.operators[word] ?? word] as const)}
        onText={setOperator}
      />
      {takesValue && kind === 'boolean' && (
        <Select
          label={texts.value}
          value={value}
          options={[
            ['true', texts.yes],
            ['false', texts.no],
          ]}
          onText={setValue}
        />
      )}
      {takesValue && kind !== 'boolean' && (
        <Field
          label={texts.value}
          value={typed}
          {...(kind === 'time' && { type: 'date' })}
          {...(kind === 'number' && { inputMode: 'numeric' as const })}
          onText={setValue}
        />
      )}
      <Button type="submit" off={off}>
        {texts.addCondition}
      </Button>
    </form>
  );
}
