import { Check, Select } from '../form/Field.tsx';
import * as texts from './texts.ts';

/** Graded permissions of a team on a workspace, from least to most. */
export const WORKSPACE_STEPS = [
  ['runs', texts.runs, ['none', 'read', 'plan', 'apply']],
  ['variables', texts.variables, ['none', 'read', 'write']],
  ['state-versions', texts.stateVersions, ['none', 'read-outputs', 'read', 'write']],
] as const;

interface RightsProps<Key extends string> {
  readonly steps: readonly (readonly [key: Key, label: string, steps: readonly string[]])[];
  /** Permissions that are either on or off. */
  readonly flags?: readonly (readonly [key: Key, label: string])[];
  readonly rights: Readonly<Record<Key, string | boolean>>;
  readonly onRight: (key: Key, value: string | boolean) => void;
}

/** Fields for custom permissions. */
export function Rights<Key extends string>({ steps, flags = [], rights, onRight }: RightsProps<Key>) {
  return (
    <>
      {steps.map(([key, label, of]) => (
        <Select
          key={key}
          name={key}
          label={label}
          value={String(rights[key])}
          options={of.map((step) => [step, step.replaceAll('-', ' ')] as const)}
          onText={(step) => onRight(key, step)}
        />
      ))}
      {flags.map(([key, label]) => (
        <Check
          key={key}
          name={key}
          label={label}
          checked={rights[key] === true}
          onCheck={(isOn) => onRight(key, isOn)}
        />
      ))}
    </>
  );
}
