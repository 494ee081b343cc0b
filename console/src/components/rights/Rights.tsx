import { Check, Select } from '../form/Field.tsx';

/** Rights of a team on a workspace that have steps, from least to most. */
export const WORKSPACE_STEPS = [
  ['runs', 'Runs', ['none', 'read', 'plan', 'apply']],
  ['variables', 'Variables', ['none', 'read', 'write']],
  ['state-versions', 'States', ['none', 'read-outputs', 'read', 'write']],
  ['sentinel-mocks', 'Policy mocks', ['none', 'read']],
] as const;

interface RightsProps<Key extends string> {
  readonly steps: readonly (readonly [key: Key, label: string, steps: readonly string[]])[];
  /** Those that are there or not. */
  readonly flags?: readonly (readonly [key: Key, label: string])[];
  readonly rights: Readonly<Record<Key, string | boolean>>;
  readonly onRight: (key: Key, value: string | boolean) => void;
}

/** Fields for access that is given right by right. */
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
