import type { Resources } from '../../api/client.ts';
import { Check, FieldGroup, Select } from '../form/Field.tsx';

type Attributes = Resources['workspace-tasks']['attributes'];
type Stage = Attributes['stages'][number];

/** When a task judges a run, and what its no means. */
export interface Judgement {
  readonly stages: readonly Stage[];
  readonly 'enforcement-level': Attributes['enforcement-level'];
}

const STAGES: readonly (readonly [stage: Stage, words: string])[] = [
  ['pre_plan', 'before the plan'],
  ['post_plan', 'after the plan'],
  ['pre_apply', 'before the apply'],
  ['post_apply', 'after the apply: it can only advise'],
];
const LEVELS = [
  ['advisory', 'advisory: what it says stands beside the run'],
  ['mandatory', 'mandatory: without its yes the run ends'],
] as const;

/** `post plan, pre apply` */
export function stagesInWords(stages: readonly string[]): string {
  return STAGES.filter(([stage]) => stages.includes(stage))
    .map(([stage]) => stage.replace('_', ' '))
    .join(', ');
}

interface JudgesProps {
  readonly value: Judgement;
  readonly onChange: (value: Judgement) => void;
}

/** The fields of it. */
export function Judges({ value, onChange }: JudgesProps) {
  const toggle = (stage: Stage, isOn: boolean) =>
    onChange({ ...value, stages: isOn ? [...value.stages, stage] : value.stages.filter((one) => one !== stage) });
  return (
    <>
      <FieldGroup label="It judges a run">
        {STAGES.map(([stage, words]) => (
          <Check
            key={stage}
            label={words}
            checked={value.stages.includes(stage)}
            onCheck={(isOn) => toggle(stage, isOn)}
          />
        ))}
      </FieldGroup>
      <Select
        name="enforcement-level"
        label="What its no means"
        value={value['enforcement-level']}
        options={LEVELS}
        onText={(level) => onChange({ ...value, 'enforcement-level': level as Judgement['enforcement-level'] })}
      />
    </>
  );
}
