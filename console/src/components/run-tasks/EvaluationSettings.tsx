import type { Resources } from '../../api/client.ts';
import { Check, FieldGroup, Select } from '../form/Field.tsx';
import * as texts from './texts.ts';

type Attributes = Resources['workspace-tasks']['attributes'];
type Stage = Attributes['stages'][number];

/** Stages at which a run task evaluates a run, and the effect of a failed result. */
export interface Evaluation {
  readonly stages: readonly Stage[];
  readonly 'enforcement-level': Attributes['enforcement-level'];
}

const STAGES: readonly (readonly [stage: Stage, words: string])[] = [
  ['pre_plan', texts.beforeThePlan],
  ['post_plan', texts.afterThePlan],
  ['pre_apply', texts.beforeTheApply],
  ['post_apply', texts.afterTheApplyAdvisoryOnly],
];
const LEVELS = [
  ['advisory', texts.advisoryTheResultIs],
  ['mandatory', texts.mandatoryAFailedResult],
] as const;

/** Lists stages in words: `post plan, pre apply`. */
export function stagesInWords(stages: readonly string[]): string {
  return STAGES.filter(([stage]) => stages.includes(stage))
    .map(([stage]) => stage.replace('_', ' '))
    .join(', ');
}

interface EvaluationSettingsProps {
  readonly value: Evaluation;
  readonly onChange: (value: Evaluation) => void;
}

/** Fields for the stages and the enforcement level of a run task. */
export function EvaluationSettings({ value, onChange }: EvaluationSettingsProps) {
  const toggle = (stage: Stage, isOn: boolean) =>
    onChange({ ...value, stages: isOn ? [...value.stages, stage] : value.stages.filter((one) => one !== stage) });
  return (
    <>
      <FieldGroup label={texts.stages}>
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
        label={texts.enforcementLevel}
        value={value['enforcement-level']}
        options={LEVELS}
        onText={(level) => onChange({ ...value, 'enforcement-level': level as Evaluation['enforcement-level'] })}
      />
    </>
  );
}
