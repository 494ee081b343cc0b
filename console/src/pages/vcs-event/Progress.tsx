import type { Resources } from '../../api/client.ts';
import type { Meaning } from '../../components/icon/Icon.tsx';
import type { IconName } from '../../components/icon/icons.tsx';
import { State } from '../../components/state/State.tsx';
import * as texts from './texts.ts';

type Verdict = Resources['vcs-verdicts']['attributes'];
type Sign = readonly [icon: IconName, is: Meaning];

const OVER: Sign = ['slash', 'idle'];
const FAILED: Sign = ['err', 'bad'];
const RUNNING: Sign = ['run', 'run'];
const PLANS: Readonly<Record<NonNullable<Verdict['plan-progress']>, Sign>> = {
  waiting: ['queued', 'idle'],
  running: RUNNING,
  changes: ['ok', 'good'],
  unchanged: ['same', 'good'],
  failed: FAILED,
  canceled: OVER,
};
const APPLIES: Readonly<Record<NonNullable<Verdict['apply-progress']>, Sign>> = {
  none: OVER,
  confirmation: ['wait', 'attention'],
  running: RUNNING,
  applied: ['ok', 'good'],
  failed: FAILED,
  canceled: OVER,
  discarded: OVER,
};

/** Progress of the run of a workspace, with the numbers of its plan. */
export function Progress({ of }: { readonly of: Verdict }) {
  const { 'plan-progress': plan, 'apply-progress': apply } = of;
  if (plan === null) return null;
  const isApply = apply !== null && apply !== 'none';
  const [icon, is] = isApply ? APPLIES[apply] : PLANS[plan];
  const numbers = [
    of['resource-additions'] ?? 0,
    of['resource-changes'] ?? 0,
    of['resource-destructions'] ?? 0,
  ] as const;
  return (
    <>
      <State icon={icon} is={is} turns={is === 'run'}>
        {isApply ? texts.apply[apply] : texts.plan[plan]}
      </State>
      {plan === 'changes' && (
        <span className="soft">
          {' '}
          <span aria-hidden="true">{texts.counts(...numbers)}</span>
          <span className="sr">{texts.countsInWords(...numbers)}</span>
        </span>
      )}
    </>
  );
}
